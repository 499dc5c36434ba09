import { LRUCache } from 'lru-cache';

export interface Rate {
  /** How many may come at once. */
  readonly burst: number;
  readonly perSecond: number;
}

/** By how much a sum of fractions may miss a whole token. */
const ROUNDING_ERROR = 1e-9;

interface Bucket {
  tokens: number;
  at: number;
}

/** A rate limit for each of many callers; the least recently seen are forgotten, so memory stays bounded. */
export class TokenBuckets {
  private readonly buckets: LRUCache<string, Bucket>;

  constructor(
    private readonly rate: Rate,
    /** Milliseconds that never step back. */
    private readonly elapsed: () => number,
    maxCallers = 10_000,
  ) {
    this.buckets = new LRUCache({ max: maxCallers });
  }

  /** Takes one token. @returns 0, or the ms until there is one */
  take(caller: string): number {
    const bucket = this.filled(caller);
    const waitMs = this.waitOf(bucket);
    if (waitMs > 0) return waitMs;
    bucket.tokens -= 1;
    return 0;
  }

  /** Gives back a token that was taken for what then cost nothing. */
  giveBack(caller: string): void {
    const bucket = this.filled(caller);
    bucket.tokens = Math.min(this.rate.burst, bucket.tokens + 1);
  }

  private waitOf(bucket: Bucket): number {
    const missing = 1 - ROUNDING_ERROR - bucket.tokens;
    return missing > 0 ? Math.ceil((missing / this.rate.perSecond) * 1_000) : 0;
  }

  private filled(caller: string): Bucket {
    const now = this.elapsed();
    let bucket = this.buckets.get(caller);
    if (!bucket) {
      bucket = { tokens: this.rate.burst, at: now };
      this.buckets.set(caller, bucket);
    }
    const gained = ((now - bucket.at) / 1_000) * this.rate.perSecond;
    bucket.tokens = Math.min(this.rate.burst, bucket.tokens + gained);
    bucket.at = now;
    return bucket;
  }
}
