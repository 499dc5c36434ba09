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

  /** One more is deferred. @returns in how many ms its turn is, if so many per ms are worked off */
  add(now: number, perMs: number): number {
    this.deferred = Math.min(this.sizeAt(now, perMs) + 1, perMs * LONGEST_TURN_MS + 1);
    this.at = now;
    return Math.min(LONGEST_TURN_MS, this.deferred / perMs);
  }
}
