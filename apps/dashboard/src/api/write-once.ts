import { useState } from 'react';
import { ApiProblem } from './problem.js';

/** A key under which a write can be asked for again after a lost answer without being done twice. */
const newIdempotencyKey = (): string =>
  // `randomUUID` is missing over plain HTTP.
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');

/** Said of the caller before the write is looked at. */
const OF_THE_CALLER: readonly number[] = [401, 429];

/** Whether the service has said what became of a write: else it may be done, or be under way. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ApiProblem &&
  error.status < 500 &&
  !OF_THE_CALLER.includes(error.status) &&
  error.code !== 'in_progress';

export interface WriteOnce {
  /** Writes under the key of the write before if nobody knows what became of that, under a new one otherwise. */
  readonly write: <T>(call: (header: { readonly 'idempotency-key': string }) => Promise<T>) => Promise<T>;
  /** What is asked for from now on is another wish than the one before. */
  readonly beginAnew: () => void;
}

/** Keeps a write that is pressed again after a lost answer from being done twice. */
export function writeOnce(): WriteOnce {
  let key: string | undefined;
  const beginAnew = (): void => {
    key = undefined;
  };
  return {
    beginAnew,
    write: async (call) => {
      key ??= newIdempotencyKey();
      try {
        const answer = await call({ 'idempotency-key': key });
        beginAnew();
        return answer;
      } catch (thrown) {
        if (isAnswer(thrown)) beginAnew();
        throw thrown;
      }
    },
  };
}

/** The same for as long as a dialog or a view is there. */
export function useWriteOnce(): WriteOnce {
  const [once] = useState(writeOnce);
  return once;
}
