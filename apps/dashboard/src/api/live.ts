import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Which questions of a form are asked anew when the service tells that something has changed. */
const QUESTIONS = {
  endpoints: ['endpoints', 'health', 'secret'],
  deliveries: ['deliveries-head', 'delivery', 'cancelled', 'health', 'stats'],
  replays: ['replay', 'replays'],
} as const;

type Topic = keyof typeof QUESTIONS;

/** How often a page asks by itself while nothing tells it, ms. */
const POLL_MS = 10_000;
/** How long it waits before it tries again to be told, ms. */
const REOPEN_MS = 30_000;

let isTold = false;

/** For `refetchInterval`: a page that is told of changes needs no polling. */
export const pollMs = (): number | false => (isTold ? false : POLL_MS);

/** Lets the service tell the page what to read again, for as long as a view of the form is shown. */
export function useLive(formId: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => (formId === undefined ? undefined : listen(formId, queries)), [formId, queries]);
}

/**
 * A page that nobody looks at holds no stream: browsers open six connections to a host and no more, and a seventh tab
 * would wait for ever for its first answer.
 */
function listen(formId: string, queries: QueryClient): () => void {
  let stop = followIfSeen(formId, queries);
  const turn = (): void => {
    stop();
    stop = followIfSeen(formId, queries);
    // What was missed meanwhile.
    if (isSeen()) askEverything(queries, formId);
  };
  document.addEventListener('visibilitychange', turn);
  return () => {
    document.removeEventListener('visibilitychange', turn);
    stop();
  };
}

const isSeen = (): boolean => document.visibilityState !== 'hidden';

const followIfSeen = (formId: string, queries: QueryClient): (() => void) =>
  isSeen() ? follow(formId, queries) : () => undefined;

/** Reads a form's stream until it is stopped, over every end of it. */
function follow(formId: string, queries: QueryClient): () => void {
  let source: EventSource;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let asking: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    source = new EventSource(`/v1/forms/${encodeURIComponent(formId)}/live`);
    for (const type of ['open', 'changed'] as const) {
      source.addEventListener(type, (event) => {
        isTold = true;
        clearTimeout(asking);
        asking = undefined;
        for (const topic of topicsOf(event)) askAnew(queries, formId, topic);
      });
    }
    source.onerror = () => {
      isTold = false;
      // What is shown begins to poll with its next answer. Not all pages ask at the moment in which a service ends.
      asking ??= setTimeout(() => askEverything(queries, formId), POLL_MS * (0.5 + Math.random()));
      // The browser comes back by itself, but not after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS);
    };
  };
  open();
  return () => {
    isTold = false;
    clearTimeout(reopening);
    clearTimeout(asking);
    source.close();
  };
}

/** The stream's own events carry data, the browser's `open` does not. */
function topicsOf(event: Event): Topic[] {
  if (!(event instanceof MessageEvent)) return [];
  const { topics } = JSON.parse(String(event.data)) as { topics?: unknown };
  return Array.isArray(topics) ? topics.filter((one): one is Topic => Object.hasOwn(QUESTIONS, String(one))) : [];
}

function askAnew(queries: QueryClient, formId: string, topic: Topic): void {
  for (const name of QUESTIONS[topic]) void queries.invalidateQueries({ queryKey: ['form', formId, name] });
}

const askEverything = (queries: QueryClient, formId: string): void => {
  for (const topic of Object.keys(QUESTIONS) as Topic[]) askAnew(queries, formId, topic);
};
