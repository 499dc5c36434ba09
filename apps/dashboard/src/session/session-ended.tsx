import { useEffect, useState } from 'react';
import { onSessionEnd } from '../api/client.js';
import { isStatus } from '../api/problem.js';
import { queryClient } from '../api/query-client.js';
import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { ProblemNotice } from '../ui/notice.js';
import { useSession } from './session-context.js';
import { findSession, isSamePerson, onSessionBegun, type Session } from './session.js';

/** How long before its end a session is renewed by hand without anything being refused first, ms. */
const WARN_MS = 5 * 60_000;

/**
 * Stands over the page when the session has ended: the page stays as it is, with all that was typed, and goes on as soon
 * as the host product has opened the dashboard anew in another tab.
 */
export function SessionEnded({ onRenewed }: { readonly onRenewed: (session: Session) => void }) {
  const t = useText();
  const session = useSession();
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  useEffect(() => onSessionEnd(() => setOver(true)), []);
  useEffect(() => tellAtTheEnd(session, () => setOver(true)), [session]);
  const check = async (): Promise<void> => {
    setProblem(undefined);
    try {
      const found = await findSession();
      // Somebody else is here now: nothing of what stands on the page is theirs.
      if (!isSamePerson(found, session)) return location.reload();
      setOver(false);
      onRenewed(found);
      await queryClient.invalidateQueries();
    } catch (thrown) {
      if (!isStatus(thrown, 401)) setProblem(thrown);
    }
  };
  useEffect(() => onSessionBegun(() => void check()));
  if (!isOver) return null;
  return (
    <Dialog title={t('session.ended')} mustDecide onClose={() => undefined}>
      <p>{t('session.ended.what')}</p>
      {problem !== undefined && <ProblemNotice error={problem} />}
      <footer>
        <Button onClick={() => void check()}>{t('session.check')}</Button>
        {session.host_url !== null && (
          <a className="button main" href={session.host_url} target="_blank" rel="noopener noreferrer">
            {t('session.open')}
          </a>
        )}
      </footer>
    </Dialog>
  );
}

/** Before the end: what is typed then still can be sent once the session is renewed. */
function tellAtTheEnd({ expires_at: end }: Session, tell: () => void): () => void {
  const wait = Date.parse(end) - Date.now() - WARN_MS;
  // A session as short as the warning would be over at once; setTimeout takes no more than 24.8 days.
  if (wait < 0 || wait > 2 ** 31 - 1) return () => undefined;
  const timer = setTimeout(tell, wait);
  return () => clearTimeout(timer);
}
