import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { queryClient } from './api/query-client.js';
import { loadAllViews, router } from './router.js';
import { SessionContext } from './session/session-context.js';
import { SessionEnded } from './session/session-ended.js';
import { beginSession, type Session } from './session/session.js';
import { NobodySignedIn } from './session/nobody-signed-in.js';
import { loadAllTexts } from './text/text.js';
import { Announcer } from './ui/announcer.js';
import { Loading } from './ui/loaded.js';

/** The first view stands by then, ms. */
const IDLE_AFTER_MS = 2_000;

/** What the page begins with. */
export interface Entered {
  readonly code: string | undefined;
  /** The session of that code, asked for before the code of this page was there. */
  readonly beginning: Promise<Session>;
}

/** The page: nobody sees anything before it is known who is here. */
export function App({ code, beginning }: Entered) {
  const [session, setSession] = useState<Session>();
  const [problem, setProblem] = useState<unknown>();
  const begin = (): void => {
    setProblem(undefined);
    beginSession(code).then(setSession, setProblem);
  };
  useEffect(() => {
    beginning.then(setSession, setProblem);
  }, [beginning]);
  const isHere = session !== undefined;
  useEffect(() => (isHere ? whenIdle(loadAhead) : undefined), [isHere]);
  if (problem !== undefined) return <NobodySignedIn error={problem} onAgain={begin} />;
  if (session === undefined) return <Loading />;
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} context={{ session }} />
        <SessionEnded onRenewed={setSession} />
        <Announcer />
      </QueryClientProvider>
    </SessionContext>
  );
}

function loadAhead(): void {
  void loadAllViews();
  void loadAllTexts();
}

/** Waits for the first view to be there and the page to be at rest. @returns what ends the waiting */
function whenIdle(act: () => void): () => void {
  // Not every browser says when it is at rest; it needs no more than to come after the first view.
  const timer = setTimeout(() => ('requestIdleCallback' in window ? requestIdleCallback(act) : act()), IDLE_AFTER_MS);
  return () => clearTimeout(timer);
}
