export interface DeduplicatorOptions {
  /** How many deliveries are remembered at most; the longest known is forgotten first. Default 100,000 (some 10 MB). */
  readonly capacity?: number;
  /** For how long a delivery is remembered, in milliseconds. Default two days: its attempts lie up to a day apart. */
  readonly rememberMs?: number;
  /** The time in milliseconds; for tests. */
  readonly now?: () => number;
}

const TWO_DAYS_MS = 2 * 86_400_000;

/**
 * Remembers which deliveries were handled. A delivery arrives at least once and now and then twice (an answer that got
 * lost, a retry, a replay), always with the same `delivery_id`.
 *
 * It lives in this process's memory: it forgets on a restart and does not see other replicas. Where handling twice
 * would hurt, keep the id in your database instead, in the transaction that does the work (a unique column is enough).
 */
export class Deduplicator {
  private readonly seen = new Map<string, number>();
  private readonly capacity: number;
  private readonly rememberMs: number;
  private readonly now: () => number;

  constructor(options: DeduplicatorOptions = {}) {
    this.capacity = options.capacity ?? 100_000;
    this.rememberMs = options.rememberMs ?? TWO_DAYS_MS;
    this.now = options.now ?? Date.now;
    if (!Number.isSafeInteger(this.capacity) || this.capacity < 1) {
      throw new RangeError(`capacity is ${this.capacity}; it must be a whole number of at least 1`);
    }
    if (!(this.rememberMs > 0)) throw new RangeError(`rememberMs is ${this.rememberMs}; it must be more than 0`);
  }

  /**
   * True the first time a delivery is claimed, false from then on: `if (!deduplicator.claim(id)) return ok()`.
   * Claiming comes before the work, so that two copies arriving together are not both handled.
   */
  claim(deliveryId: string): boolean {
    this.forgetExpired();
    if (this.seen.has(deliveryId)) return false;
    if (this.seen.size >= this.capacity) this.forgetOldest();
    this.seen.set(deliveryId, this.now());
    return true;
  }

  /** Gives a claim back after the work failed, so that the retry is handled. */
  release(deliveryId: string): void {
    this.seen.delete(deliveryId);
  }

  has(deliveryId: string): boolean {
    this.forgetExpired();
    return this.seen.has(deliveryId);
  }

  get size(): number {
    return this.seen.size;
  }

  /** A Map keeps insertion order and entries are never touched again, so the expired ones stand at its start. */
  private forgetExpired(): void {
    const limit = this.now() - this.rememberMs;
    for (const [id, at] of this.seen) {
      if (at > limit) return;
      this.seen.delete(id);
    }
  }

  private forgetOldest(): void {
    for (const id of this.seen.keys()) {
      this.seen.delete(id);
      return;
    }
  }
}
