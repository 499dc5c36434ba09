/** A check that comes later than this shows that the process stood still, ms. */
const LATE_MS = 100;

/**
 * Time that this process had, ms. It stands still while the process does: what receivers answered meanwhile could not be
 * heard, and must not make them suspect. It never runs back.
 */
export class ProcessClock {
  private stoodStillMs = 0;
  private expectedAt = Infinity;
  private latest = 0;

  now(): number {
    this.latest = Math.max(this.latest, performance.now() - this.stoodStillMs);
    return this.latest;
  }

  /** A timer is set that ends after so long. */
  expectTimer(ms: number): void {
    this.expectedAt = performance.now() + ms;
  }

  /** It has ended. */
  timerEnded(): void {
    const lateMs = performance.now() - this.expectedAt;
    if (lateMs > LATE_MS) this.stoodStillMs += lateMs;
    this.expectedAt = Infinity;
  }
}
