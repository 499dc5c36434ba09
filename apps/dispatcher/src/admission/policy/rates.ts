import { MAX_ADMISSION_WAIT_MS } from '@form-webhooks/domain';

/** Nothing is put off for less, ms: what would wait for less does so in memory. */
export const SHORTEST_DEFERRAL_MS = MAX_ADMISSION_WAIT_MS;
const WINDOW_MS = 5_000;
/** Each answer moves the median by this factor, up or down. */
const MEDIAN_STEP = 1.03;
const INITIAL_MEDIAN_MS = 50;
const SHORTEST_MEDIAN_MS = 1;
const LONGEST_MEDIAN_MS = 60_000;
/** No turn is estimated to be farther away than this, ms: the longest delay of a deferral. */
const LONGEST_TURN_MS = 10_800_000;

/** How many attempts end per ms, over about the last five seconds. */
export class EndRate {
  private count = 0;
  private at = 0;

  add(now: number): void {
    this.count = this.countAt(now) + 1;
    this.at = now;
  }

  perMs(now: number): number {
    return this.countAt(now) / WINDOW_MS;
  }

  private countAt(now: number): number {
    return this.count * Math.exp((this.at - now) / WINDOW_MS);
  }
}

/** The median of what it is told, approximately. One slow receiver of many doesn't move it, a slow process does. */
export class RunningMedian {
  private median = INITIAL_MEDIAN_MS;

  get ms(): number {
    return this.median;
  }

  add(ms: number): void {
    const moved = ms > this.median ? this.median * MEDIAN_STEP : this.median / MEDIAN_STEP;
    this.median = Math.min(LONGEST_MEDIAN_MS, Math.max(SHORTEST_MEDIAN_MS, moved));
  }
}

/**
 * Estimates when the turn of a deferred delivery comes. What is deferred is taken to be worked off as time passes, not
 * when it comes back: it may come back to another process, or be cancelled meanwhile.
 */
export class DeferredTurns {
  private deferred = 0;
  private at = 0;

  /** How many are still away, if so many per ms are worked off. */
  sizeAt(now: number, perMs: number): number {
    return Math.max(0, this.deferred - Math.max(0, now - this.at) * perMs);
  }

  /**
   * One more is deferred, for `longestMs` at most.
   * @returns in how many ms its turn is, if so many per ms are worked off
   */
  add(now: number, perMs: number, longestMs = LONGEST_TURN_MS): number {
    this.deferred = Math.min(this.sizeAt(now, perMs) + 1, perMs * longestMs + 1);
    this.at = now;
    return Math.min(longestMs, this.deferred / perMs);
  }
}

/** What has just become too much is put off for no longer, ms; later for no longer than this part of how long it is. */
const LONGEST_AT_FIRST_MS = 30_000;
const LONGEST_SHARE = 1 / 2;
/** After what was put off last, a surplus goes on for so long, and for this part of that delay: rungs round it up. */
const LULL_MS = 5_000;
const LULL_SHARE = 1 / 4;

/**
 * What somebody has too much of, and when the turn of the next is. The estimate is only as good as the rate that it is
 * made of, and what was slow may be quick a moment later: so nothing is put off for longer than half of what the surplus
 * has lasted by then. What comes back too early is put off once more, so deferrals grow with the logarithm of that time.
 */
export class Surplus {
  private readonly turns = new DeferredTurns();
  private since = -Infinity;
  private until = -Infinity;

  /** One more is put off. @returns for how long, ms, if so many per ms are worked off */
  add(now: number, perMs: number): number {
    if (now > this.until) this.since = now;
    const longestMs = Math.max(LONGEST_AT_FIRST_MS, LONGEST_SHARE * (now - this.since));
    const turnMs = this.turns.add(now, perMs, longestMs);
    this.until = Math.max(this.until, now + turnMs + LULL_MS + LULL_SHARE * turnMs);
    return turnMs;
  }
}
