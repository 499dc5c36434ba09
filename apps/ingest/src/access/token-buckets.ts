import { LRUCache } from 'lru-cache';

export interface Rate {
  /** How many may come at once. */
  readonly burst: number;
  readonly perSecond: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** A rate limit for each of many callers; the least recently seen are forgotten, so memory stays bounded. */
export class TokenBuckets {
  private readonly buckets: LRUCache<string, Bucket>;

  constructor(
    private readonly rate: Rate,
    private readonly now: () => number,
    maxCallers = 10_000,
  ) {
    this.buckets = new LRUCache({ max: maxCallers });
  }

  /** Takes one token. @returns 0, or the ms until there is one */
  take(caller: string): number {
    const bucket = this.filled(caller);
    if (bucket.tokens < 1) return this.waitOf(bucket);
    bucket.tokens -= 1;
    return 0;
  }

  /** The ms until `take` would succeed. */
  wait(caller: string): number {
    const bucket = this.filled(caller);
    return bucket.tokens < 1 ? this.waitOf(bucket) : 0;
  }

  private waitOf(bucket: Bucket): number {
    return Math.ceil(((1 - bucket.tokens) / this.rate.perSecond) * 1_000);
  }

  private filled(caller: string): Bucket {
    const now = this.now();
    let bucket = this.buckets.get(caller);
    if (!bucket) {
      bucket = { tokens: this.rate.burst, at: now };
      this.buckets.set(caller, bucket);
    }
    const gained = (Math.max(0, now - bucket.at) / 1_000) * this.rate.perSecond;
    bucket.tokens = Math.min(this.rate.burst, bucket.tokens + gained);
    bucket.at = now;
    return bucket;
  }
}
