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
  /** What runs for that long counts as well again: its next pause is the first one. */
  readonly steadyMs?: number;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Short: who kills a service now and then to see what happens is not to wait for it. */
const STEADY_MS = 10_000;

/**
 * Reports when something ends by itself and starts it again, with growing pauses while that fails or it soon ends once
 * more.
 */
export async function keepRunning(kept: Kept): Promise<void> {
  const { name, signal, say, pauseMs: firstMs = FIRST_PAUSE_MS, steadyMs = STEADY_MS } = kept;
  let pauseMs = firstMs;
  let since = performance.now();
  while (!signal.aborted) {
    const how = await kept.ended();
    if (signal.aborted) return;
    if (performance.now() - since >= steadyMs) pauseMs = firstMs;
    say(`${name} ended unexpectedly${how}; it is started again in ${(pauseMs / 1_000).toFixed()} s`);
    for (let runs = false; !runs; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
      if (isAborted(signal)) return;
      runs = await startedAgain(kept);
    }
    since = performance.now();
  }
}

async function startedAgain(kept: Kept): Promise<boolean> {
  const { name, signal, say } = kept;
  try {
    await kept.start();
    say(`${name} runs again`);
    return true;
  } catch (thrown) {
    if (!signal.aborted) say(`${name} could not be started again: ${reasonOf(thrown)}`);
    return false;
  }
}

/** A function, as the compiler takes a property that it saw false for false still after an await. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
