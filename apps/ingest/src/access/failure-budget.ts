import { LRUCache } from 'lru-cache';
import { TokenBuckets } from './token-buckets.js';

/** Leave to ask config about a key, or how long to wait for it. */
export type Permit =
  | { readonly kind: 'granted'; /** For a key that turned out to be no failure. */ readonly giveBack: () => void }
  | { readonly kind: 'refused'; readonly waitMs: number };

/** Of four failures that an address may make, so many more are allowed to keys that come again. */
const SHARE_FOR_RETURNING = 1 / 4;
/** After what time a key that was turned away counts as come again, ms: before, it may be the same burst. */
const RETURNS_AFTER_MS = 1_000;
const MAX_TURNED_AWAY = 20_000;

/**
 * How many wrong keys one network may present. A token is taken before config is asked: checked only afterwards, any
 * number of keys that come at once would all be asked about.
 *
 * When a network has used up its tokens, a key of it that was turned away and comes again has a small budget of its own.
 * So a good key that nobody knows yet gets through beside somebody who guesses, for guesses are new each time.
 */
export class FailureBudget {
  private readonly all: TokenBuckets;
  private readonly returning: TokenBuckets;
  /** Since when. */
  private readonly turnedAway = new LRUCache<string, number>({ max: MAX_TURNED_AWAY });

  constructor(
    perMinute: number,
    /** Milliseconds that never step back. */
    private readonly elapsed: () => number,
  ) {
    const more = Math.max(1, perMinute * SHARE_FOR_RETURNING);
    this.all = new TokenBuckets({ burst: perMinute, perSecond: perMinute / 60 }, elapsed);
    this.returning = new TokenBuckets({ burst: more, perSecond: more / 60 }, elapsed);
  }

  /** A failure that needed no question. @returns 0, or the ms until this network may fail again */
  fail(network: string): number {
    return this.all.take(network);
  }

  permit(network: string, keyHash: string): Permit {
    const waitMs = this.all.take(network);
    if (waitMs === 0) return { kind: 'granted', giveBack: () => this.all.giveBack(network) };
    if (this.comesAgain(`${network} ${keyHash}`) && this.returning.take(network) === 0) {
      return { kind: 'granted', giveBack: () => this.returning.giveBack(network) };
    }
    return { kind: 'refused', waitMs };
  }

  private comesAgain(key: string): boolean {
    const now = this.elapsed();
    const since = this.turnedAway.get(key);
    if (since === undefined) this.turnedAway.set(key, now);
    return since !== undefined && now - since >= RETURNS_AFTER_MS;
  }
}
