import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { inTurn, type InTurn } from './in-turn.js';
import { isStatus } from './problem.js';

/** Which questions of a form are asked anew when the service tells that something has changed. */
const QUESTIONS = {
  endpoints: ['endpoints', 'health', 'secret'],
  deliveries: ['deliveries-head', 'delivery', 'cancelled', 'health', 'stats'],
  replays: ['replay', 'replays'],
} as const;

type Topic = keyof typeof QUESTIONS;
type Question = (typeof QUESTIONS)[Topic][number];
const ALL_QUESTIONS: ReadonlySet<Question> = new Set(Object.values(QUESTIONS).flat());

/**
 * How long a question rests after its answer, ms. The stream tells of each change of the form, which a busy one has all
 * the time: a delivery that stands open is one of many, and each answer may show a payload.
 */
const RESTS_MS: Readonly<Partial<Record<Question, number>>> = { delivery: 10_000 };

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
export function follow(formId: string, queries: QueryClient): () => void {
  let source: EventSource;
  let isFirst = true;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let asking: ReturnType<typeof setTimeout> | undefined;
  const questions = questionsOf(formId, queries);
  /** A stream that this page and not the browser began anew: the service takes it for a first one. */
  const isUnaware = (event: Event): boolean => !isFirst && event instanceof MessageEvent;
  const open = (): void => {
    source = new EventSource(`/v1/forms/${encodeURIComponent(formId)}/live`);
    for (const type of ['open', 'changed'] as const) {
      source.addEventListener(type, (event) => {
        isTold = true;
        clearTimeout(asking);
        asking = undefined;
        const topics = topicsOf(event);
        // What was asked before the stream broke may never be answered.
        if (type === 'open' && (topics.length > 0 || isUnaware(event))) askEverything(queries, formId);
        else for (const name of new Set(topics.flatMap((topic) => QUESTIONS[topic]))) questions[name].want();
      });
    }
    source.onerror = () => {
      isTold = false;
      // What is shown begins to poll with its next answer. Not all pages ask at the moment in which a service ends.
      asking ??= setTimeout(() => askEverything(queries, formId), POLL_MS * (0.5 + Math.random()));
      // The browser comes back by itself, but not after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) reopening = setTimeout(reopen, REOPEN_MS);
    };
  };
  const reopen = (): void => {
    isFirst = false;
    open();
  };
  open();
  return () => {
    isTold = false;
    clearTimeout(reopening);
    clearTimeout(asking);
    for (const question of Object.values(questions)) question.stop();
    source.close();
  };
}

/** The stream's own events carry data, the browser's `open` does not. */
function topicsOf(event: Event): Topic[] {
  if (!(event instanceof MessageEvent)) return [];
  const { topics } = JSON.parse(String(event.data)) as { topics?: unknown };
  return Array.isArray(topics) ? topics.filter((one): one is Topic => Object.hasOwn(QUESTIONS, String(one))) : [];
}

/** Each question of the form, which changes ask for one after another. */
function questionsOf(formId: string, queries: QueryClient): Readonly<Record<Question, InTurn>> {
  const turns = [...ALL_QUESTIONS].map((name) => [
    name,
    inTurn(() => askAnew(queries, formId, name), RESTS_MS[name] ?? 0),
  ]);
  return Object.fromEntries(turns) as Record<Question, InTurn>;
}

/** A delivery that is not there does not come back. */
const askAnew = (queries: QueryClient, formId: string, name: Question): Promise<void> =>
  queries.invalidateQueries({
    queryKey: ['form', formId, name],
    predicate: ({ state }) => name !== 'delivery' || !isStatus(state.error, 404),
  });

const askEverything = (queries: QueryClient, formId: string): void => {
  for (const name of ALL_QUESTIONS) void askAnew(queries, formId, name);
};
