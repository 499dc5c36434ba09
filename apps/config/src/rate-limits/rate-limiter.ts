import { Injectable } from '@nestjs/common';
import type { RateLimit } from '@form-webhooks/storage';
import { SharedBuckets } from './shared-buckets.js';

/** How many tokens one replica takes out of the shared bucket at a time; the rest stays for the others. */
const SHARE_TAKEN = 1 / 20;
/** What was taken ahead and not used by then goes back, so that an idle replica does not sit on it. */
const RESERVE_LIFE_MS = 5_000;
const MAX_KNOWN = 10_000;

/** What this replica holds of a bucket. */
interface Reserve {
  tokens: number;
  /** Until then the tokens may be used or, if there are none and `refused`, there is nothing to ask for. */
  until: number;
  refused: boolean;
}

/**
 * Token buckets shared by the replicas. A replica takes tokens a few at a time and remembers a refusal until the next
 * token is due, so that neither normal traffic nor a flood costs a statement a request. Each token that was taken is
 * used once or goes back: callers at the same moment wait for one refill, and none overwrites what another brought.
 */
@Injectable()
export class RateLimiter {
  private readonly reserves = new Map<string, Reserve>();
  private readonly refilling = new Map<string, Promise<void>>();

  constructor(private readonly buckets: SharedBuckets) {}

  /** @returns 0 if the request may go on, else the seconds after which it may be tried again */
  async take(bucket: string, limit: RateLimit): Promise<number> {
    // Each round brings a token or a refusal, and who waits for a refill is one of those whom it may serve.
    for (;;) {
      const waitMs = this.takeReserved(bucket);
      if (waitMs !== undefined) return Math.ceil(waitMs / 1_000);
      await this.refill(bucket, limit);
    }
  }

  /** For a token whose request turned out to be none that counts. */
  giveBack(bucket: string): void {
    const reserve = this.reserves.get(bucket);
    if (!reserve || reserve.refused) return this.remember(bucket, { tokens: 1, until: lifeFromNow(), refused: false });
    reserve.tokens += 1;
  }

  /** @returns ms to wait, 0 for a token; undefined if the shared bucket has to be asked */
  private takeReserved(bucket: string): number | undefined {
    const reserve = this.reserves.get(bucket);
    const leftMs = (reserve?.until ?? 0) - performance.now();
    if (!reserve || leftMs <= 0) return undefined;
    if (reserve.tokens === 0) return reserve.refused ? leftMs : undefined;
    reserve.tokens -= 1;
    return 0;
  }

  private refill(bucket: string, limit: RateLimit): Promise<void> {
    const running = this.refilling.get(bucket);
    if (running) return running;
    const refill = this.askFor(bucket, limit).finally(() => this.refilling.delete(bucket));
    this.refilling.set(bucket, refill);
    return refill;
  }

  private async askFor(bucket: string, limit: RateLimit): Promise<void> {
    const returned = this.reserves.get(bucket)?.tokens ?? 0;
    const wanted = Math.max(1, Math.floor(limit.capacity * SHARE_TAKEN));
    const { taken, retryAfterSeconds } = await this.buckets.take(bucket, limit, { wanted, returned });
    // What was given back meanwhile is not among the returned.
    const tokens = taken + (this.reserves.get(bucket)?.tokens ?? returned) - returned;
    const refused = tokens === 0;
    const until = refused ? performance.now() + retryAfterSeconds * 1_000 : lifeFromNow();
    this.remember(bucket, { tokens, until, refused });
  }

  /** Bounded: the oldest goes first, which costs its owner one more statement and the few tokens that were left. */
  private remember(bucket: string, reserve: Reserve): void {
    this.reserves.delete(bucket);
    if (this.reserves.size >= MAX_KNOWN) this.reserves.delete(this.reserves.keys().next().value!);
    this.reserves.set(bucket, reserve);
  }
}

const lifeFromNow = (): number => performance.now() + RESERVE_LIFE_MS;
