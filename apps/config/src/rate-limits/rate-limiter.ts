import { Injectable } from '@nestjs/common';
import { DataSource, takeTokens, type RateLimit } from '@form-webhooks/storage';

/** How many tokens one replica takes out of the shared bucket at a time; the rest stays for the others. */
const SHARE_TAKEN = 1 / 20;
/** What is taken ahead is given up after this time, so that an idle replica does not sit on it. */
const RESERVE_LIFE_MS = 5_000;
const MAX_KNOWN = 10_000;

interface Reserve {
  tokens: number;
  until: number;
}

/**
 * Token buckets shared by the replicas through PostgreSQL. A replica takes tokens a few at a time and remembers a
 * refusal until the next token is due, so that neither normal traffic nor a flood costs a statement a request.
 */
@Injectable()
export class RateLimiter {
  private readonly reserves = new Map<string, Reserve>();

  constructor(private readonly dataSource: DataSource) {}

  /** @returns 0 if the request may go on, else the seconds after which it may be tried again */
  async take(bucket: string, limit: RateLimit): Promise<number> {
    const now = Date.now();
    const reserve = this.reserves.get(bucket);
    if (reserve && reserve.until > now) {
      if (reserve.tokens <= 0) return Math.ceil((reserve.until - now) / 1_000);
      reserve.tokens -= 1;
      if (reserve.tokens === 0) this.reserves.delete(bucket);
      return 0;
    }
    const wanted = Math.max(1, Math.floor(limit.capacity * SHARE_TAKEN));
    const { taken, retryAfterSeconds } = await this.dataSource.transaction((tx) =>
      takeTokens(tx, bucket, limit, wanted),
    );
    if (taken > 1) this.remember(bucket, { tokens: taken - 1, until: now + RESERVE_LIFE_MS });
    else this.reserves.delete(bucket);
    if (taken > 0) return 0;
    this.remember(bucket, { tokens: 0, until: now + retryAfterSeconds * 1_000 });
    return retryAfterSeconds;
  }

  /** Bounded: the oldest goes first, which costs its owner one more statement. */
  private remember(bucket: string, reserve: Reserve): void {
    this.reserves.delete(bucket);
    if (this.reserves.size >= MAX_KNOWN) this.reserves.delete(this.reserves.keys().next().value!);
    this.reserves.set(bucket, reserve);
  }
}
