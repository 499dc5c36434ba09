import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RateLimit, TakenTokens, TokenRequest } from '@form-webhooks/storage';
import { RateLimiter } from './rate-limiter.js';
import { SharedBuckets } from './shared-buckets.js';

const LIMIT: RateLimit = { capacity: 1_200, periodSeconds: 1_000_000 };

/** One bucket that never refills, and answers a turn of the event loop later. */
class OneBucket extends SharedBuckets {
  asked = 0;

  constructor(public tokens: number) {
    super();
  }

  async take(_bucket: string, _limit: RateLimit, { wanted, returned }: TokenRequest): Promise<TakenTokens> {
    this.asked++;
    await nextTurn();
    this.tokens += returned;
    const taken = Math.min(wanted, this.tokens);
    this.tokens -= taken;
    return { taken, retryAfterSeconds: 60 };
  }
}

const takeMany = (limiter: RateLimiter, calls: number): Promise<number[]> =>
  Promise.all(Array.from({ length: calls }, () => limiter.take('b', LIMIT)));

const granted = (waits: readonly number[]): number => waits.filter((wait) => wait === 0).length;

describe('the shared limiter', () => {
  it('lets exactly as many through as the bucket holds, however many ask at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(400),
        fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 8 }),
        async (held, calls) => {
          const limiter = new RateLimiter(new OneBucket(held));
          const waves = await Promise.all(calls.map((n) => takeMany(limiter, n)));
          const asked = calls.reduce((sum, n) => sum + n, 0);
          expect(granted(waves.flat())).toBe(Math.min(held, asked));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('asks the shared bucket once for callers at the same moment, and not again while it refuses', async () => {
    const bucket = new OneBucket(60);
    const limiter = new RateLimiter(bucket);
    expect(granted(await takeMany(limiter, 60))).toBe(60);
    expect(bucket.asked).toBe(1);
    expect(granted(await takeMany(limiter, 500))).toBe(0);
    expect(bucket.asked).toBe(2);
  });

  it('uses again what was given back, also after a refusal and while it asks for more', async () => {
    const bucket = new OneBucket(1);
    const limiter = new RateLimiter(bucket);
    expect(await limiter.take('b', LIMIT)).toBe(0);
    const refused = limiter.take('b', LIMIT);
    limiter.giveBack('b');
    expect(await refused).toBe(0);
    expect(await limiter.take('b', LIMIT)).toBe(60);
    limiter.giveBack('b');
    expect(await limiter.take('b', LIMIT)).toBe(0);
  });

  it('fails all who wait if the bucket can not be asked, and asks again for the next', async () => {
    const bucket = new OneBucket(5);
    const limiter = new RateLimiter({
      take: (...given) =>
        bucket.asked === 0 ? (bucket.asked++, Promise.reject(new Error('away'))) : bucket.take(...given),
    });
    await expect(takeMany(limiter, 3)).rejects.toThrow('away');
    expect(granted(await takeMany(limiter, 9))).toBe(5);
  });
});
