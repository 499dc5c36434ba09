import type { Endpoint } from './endpoint.js';
import type { PoolName } from './pools.js';
import { RunningMedian } from './rates.js';

/** An attempt in flight for longer makes its endpoint and its origin suspect, ms. */
const SLOW_AFTER_MS = 1_000;
/** Or, while this process itself is slow, for longer than so many times what answers usually take; at most ms. */
const SLOW_FACTOR = 4;
const SLOW_AFTER_AT_MOST_MS = 3_000;

/** An attempt in flight. */
export interface RunningAttempt {
  readonly endpoint: Endpoint;
  /** When it got its slot. */
  readonly heldSince: number;
  /** When its POST began; until then when it got its slot. */
  startedAt: number;
  pool: PoolName;
  /** It is proven, and its endpoint or origin had answered within the last second when it got its slot. */
  answeredLately: boolean;
  /** Its endpoint, not only its origin, answered within the last seconds when it began, and it has not been slow since. */
  isOfAnswering: boolean;
}

/** The attempts whose POST has begun and does not yet take too long. */
export class YoungAttempts {
  /** In the order in which they began. */
  private readonly attempts = new Set<RunningAttempt>();
  private readonly usual = new RunningMedian();

  add(attempt: RunningAttempt): void {
    this.attempts.add(attempt);
  }

  remove(attempt: RunningAttempt): void {
    this.attempts.delete(attempt);
  }

  /** An answer came after so long. */
  learn(ms: number): void {
    this.usual.add(ms);
  }

  /** Takes out those that take too long by now. */
  takeSlow(now: number): RunningAttempt[] {
    const slowAfter = Math.min(SLOW_AFTER_AT_MOST_MS, Math.max(SLOW_AFTER_MS, SLOW_FACTOR * this.usual.ms));
    const slow: RunningAttempt[] = [];
    for (const attempt of this.attempts) {
      if (now - attempt.startedAt < slowAfter) break;
      slow.push(attempt);
    }
    for (const attempt of slow) this.attempts.delete(attempt);
    return slow;
  }
}
