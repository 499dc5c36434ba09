/** Who answered no longer ago than this is proven, ms. */
export const PROVEN_FOR_MS = 5_000;
const FAILURES_UNTIL_PACED = 3;
/** And for how long it must have given no answer by then, ms: a restart of a receiver takes a moment, too. */
const UNANSWERED_UNTIL_PACED_MS = 5_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** What is known of an endpoint, or of an origin: when it answered, whether it is suspect, how its failures are paced. */
export class Standing {
  /** Its attempts in flight. */
  inFlight = 0;
  private answeredAt = -Infinity;
  private suspected = false;
  private failures = 0;
  private latestFailureAt = -Infinity;
  /** Since when it is wanted and has not answered. */
  private unansweredSince: number | undefined;
  private pausedAt = -Infinity;
  private lastPauseMs = 0;

  get isSuspect(): boolean {
    return this.suspected;
  }

  /** When it failed last; -Infinity if it has not failed since it answered. */
  get failedAt(): number {
    return this.latestFailureAt;
  }

  /** Time between two attempts while it is paced, ms. */
  get pauseMs(): number {
    return Math.max(FIRST_PAUSE_MS, this.lastPauseMs);
  }

  get hasAnswered(): boolean {
    return this.answeredAt !== -Infinity;
  }

  answeredWithin(ms: number, now: number): boolean {
    return now - this.answeredAt <= ms;
  }

  /** For how long it has been wanted and has not answered, ms. */
  unansweredMs(now: number): number {
    return this.unansweredSince === undefined ? 0 : now - this.unansweredSince;
  }

  /** Somebody asks for an attempt. */
  want(now: number): void {
    this.unansweredSince ??= now;
  }

  answer(now: number): void {
    this.answeredAt = now;
    this.suspected = false;
    this.failures = 0;
    this.latestFailureAt = -Infinity;
    this.unansweredSince = undefined;
    this.lastPauseMs = 0;
  }

  /** An attempt that began then takes too long. It says nothing if something was answered meanwhile. */
  suspect(startedAt: number): void {
    if (this.answeredAt > startedAt) return;
    this.suspected = true;
    this.unansweredSince ??= startedAt;
  }

  /** An attempt that began then has failed. What began before the current pause makes it no longer. */
  fail(startedAt: number, now: number): void {
    this.unansweredSince ??= Math.max(startedAt, this.answeredAt);
    this.failures += 1;
    this.latestFailureAt = now;
    if (!this.isPaced(now) || startedAt < this.pausedAt) return;
    this.lastPauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * this.lastPauseMs));
    this.pausedAt = now;
  }

  isPaced(now: number): boolean {
    return this.failures >= FAILURES_UNTIL_PACED && this.unansweredMs(now) >= UNANSWERED_UNTIL_PACED_MS;
  }

  /** While it is paced: one attempt at a time, and none before the pause is over. */
  mayAttempt(now: number): boolean {
    if (!this.isPaced(now)) return true;
    return this.inFlight === 0 && now >= this.pausedAt + this.lastPauseMs;
  }
}
