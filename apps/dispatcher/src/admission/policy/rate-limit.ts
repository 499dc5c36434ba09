import { MAX_ADMISSION_WAIT_MS } from '@form-webhooks/domain';
import { DeferredTurns, SHORTEST_DEFERRAL_MS } from './rates.js';

/** A delivery whose turn is so near may wait for it in memory, ms; the rest of the admission's wait is for late timers. */
const MAX_WAIT_MS = 0.95 * MAX_ADMISSION_WAIT_MS;
/** What is put off comes back as much before its turn, ms, but not before the turns of so many others: they'd be in memory. */
const HEAD_START_MS = 800;
const HEAD_START_TURNS = 50;
/**
 * What comes back together, because its turns were rounded up to one delay, spreads over this part of the time since the
 * first of what has booked, or over so many ms; when it comes back from there, over this part of that, and so on.
 */
const SHARE_OF_ROUNDING = 0.12;
const LEAST_ROUNDING_MS = 2_000;
const LEVELS = 4;

/** A delivery that asks for its turn: how often it was put off, and in how many ms its turn is if it has just booked one. */
export interface RateTurn {
  readonly deferrals: number;
  readonly bookedMs?: number | undefined;
}

/**
 * When the attempts of an endpoint may begin whose owner wants at most so many a second: evenly spaced. A delivery books
 * its turn when it asks for the first time, behind all that have booked before. One that comes back from its delay has
 * its turn about now, so it takes the next that is free; it books anew only if rounding doesn't explain how far that is.
 */
export class RateLimit {
  private intervalMs = 0;
  private startedAt = -Infinity;
  private bookedSince = 0;
  private readonly booked = new DeferredTurns();
  /** By how often they were put off, up to `LEVELS`; most endpoints need none. */
  private readonly cameBack: DeferredTurns[] = [];

  get isLimited(): boolean {
    return this.intervalMs > 0;
  }

  /** From now on at most so many attempts a second; undefined for any number. What has booked keeps its place. */
  set(perSecond: number | undefined): void {
    this.intervalMs = perSecond === undefined ? 0 : 1_000 / perSecond;
  }

  /** An attempt has begun. */
  start(now: number): void {
    this.startedAt = now;
  }

  /** In how many ms the next attempt may begin. */
  gapMs(now: number): number {
    return Math.max(0, this.startedAt + this.intervalMs - now);
  }

  /** Books the turn of a delivery that asks for the first time. @returns in how many ms it is */
  book(now: number): number {
    if (!this.isLimited) return 0;
    if (this.booked.sizeAt(now, this.perMs) === 0) this.bookedSince = now;
    return Math.max(0, Math.floor(this.booked.add(now, this.perMs) - this.intervalMs));
  }

  /** Whether the turn of a delivery comes so soon that it may wait in memory, where so many wait already. */
  isNear({ deferrals, bookedMs = 0 }: RateTurn, waiting: number, now: number): boolean {
    // One that was put off more often than rounding explains goes before the others.
    const ahead = deferrals > LEVELS ? 0 : waiting;
    return Math.max(bookedMs, this.behindMs(ahead, now)) <= MAX_WAIT_MS;
  }

  /** Puts a delivery off to its turn; so many others wait in memory. @returns for how long, ms */
  defer({ deferrals, bookedMs }: RateTurn, waiting: number, now: number): number {
    if (!this.isLimited) return SHORTEST_DEFERRAL_MS;
    const behindMs = this.behindMs(waiting, now);
    const turnMs = bookedMs === undefined ? this.bookAgain(deferrals, behindMs, now) : Math.max(bookedMs, behindMs);
    const headStartMs = Math.min(HEAD_START_MS, HEAD_START_TURNS * this.intervalMs);
    return Math.ceil(Math.max(SHORTEST_DEFERRAL_MS, turnMs - headStartMs));
  }

  private get perMs(): number {
    return 1 / this.intervalMs;
  }

  /** In how many ms an attempt may begin behind so many others. */
  private behindMs(others: number, now: number): number {
    return this.gapMs(now) + others * this.intervalMs;
  }

  /** The next free turn of a delivery that had one. @returns in how many ms it is */
  private bookAgain(deferrals: number, behindMs: number, now: number): number {
    const missed = Math.ceil(Math.max(0, SHORTEST_DEFERRAL_MS - behindMs) / this.intervalMs);
    const firstMs = behindMs + missed * this.intervalMs;
    for (let level = Math.min(deferrals, LEVELS); level > 0; level--) {
      const cameBack = (this.cameBack[level] ??= new DeferredTurns());
      const turnMs = firstMs + cameBack.sizeAt(now, this.perMs) * this.intervalMs;
      if (turnMs > this.roundingMs(level, now)) continue;
      cameBack.add(now, this.perMs);
      return turnMs;
    }
    return Math.max(firstMs, this.book(now));
  }

  private roundingMs(level: number, now: number): number {
    const least = LEAST_ROUNDING_MS + 2 * this.intervalMs;
    return Math.max(least, SHARE_OF_ROUNDING ** level * (now - this.bookedSince));
  }
}
