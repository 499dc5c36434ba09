import { setTimeout as wait } from 'node:timers/promises';
import { reasonOf } from '../failure.js';

export interface Kept {
  readonly name: string;
  /** How it ended; resolves when it has. */
  ended(): Promise<string>;
  start(): Promise<unknown>;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** How long it waits before the first try; doubled with each further one. */
  readonly pauseMs?: number;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Reports when something ends by itself and starts it again, with growing pauses while that fails. */
export async function keepRunning(kept: Kept): Promise<void> {
  const { name, signal, say } = kept;
  while (!signal.aborted) {
    const how = await kept.ended();
    if (signal.aborted) return;
    say(`${name} ended unexpectedly${how}; it is started again`);
    for (let pauseMs = kept.pauseMs ?? FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await kept.start();
        say(`${name} runs again`);
        break;
      } catch (thrown) {
        if (!isAborted(signal)) say(`${name} could not be started again: ${reasonOf(thrown)}`);
      }
    }
  }
}

/** A function, as the compiler takes a property that it saw false for false still after an await. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
