import { expect, it } from 'vitest';
import type { AccessSettings } from './access-settings.js';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import { CallerIdentity } from './caller-identity.js';
import { RequestBudget } from './request-budget.js';

/** Remembers what is counted, and always has room. */
class CountingLimiter {
  readonly buckets: string[] = [];

  take(bucket: string): Promise<number> {
    this.buckets.push(bucket);
    return Promise.resolve(0);
  }
}

it('counts the failures of one caller together, however its address is written', async () => {
  const limiter = new CountingLimiter();
  const settings = { failedAuthenticationsPerMinute: 10 } as AccessSettings;
  const budget = new RequestBudget(limiter as unknown as RateLimiter, settings);
  for (const ip of ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207']) await budget.takeGuess(ip);
  for (const ip of ['2001:db8:1:2::9', '2001:DB8:1:2:3:4:5:6']) await budget.takeGuess(ip);
  const [v4, v6] = ['failures:192.0.2.7', 'failures:2001:db8:1:2::/64'];
  expect(limiter.buckets).toEqual([v4, v4, v4, v6, v6]);
});

it('gives a request back to its credential if the workspace has no more, and names whose budget it is', async () => {
  const given: string[] = [];
  const limiter = {
    take: (bucket: string) => Promise.resolve(bucket.startsWith('workspace:') ? 7 : 0),
    giveBack: (bucket: string) => given.push(bucket),
  };
  const settings = { requestsPerMinute: 10, workspaceRequestsPerMinute: 20 } as AccessSettings;
  const budget = new RequestBudget(limiter as unknown as RateLimiter, settings);
  const caller = (workspaceId: string | null) =>
    new CallerIdentity('key:key_1', 'key_1', '::1', workspaceId, new Set());
  expect(await budget.takeRequest(caller('ws_1'))).toEqual({ seconds: 7, of: 'workspace' });
  expect(given).toEqual(['requests:ws_1:key:key_1']);
  expect(await budget.takeRequest(caller(null))).toEqual({ seconds: 0, of: 'credential' });
});

it('counts the guesses of so many addresses at a time, and refuses nobody whose own are being counted', async () => {
  const taken: (() => void)[] = [];
  const limiter = { take: () => new Promise<number>((resolve) => taken.push(() => resolve(0))) };
  const settings = { failedAuthenticationsPerMinute: 10 } as AccessSettings;
  const budget = new RequestBudget(limiter as unknown as RateLimiter, settings);
  const addressOf = (n: number) => `2001:db8:0:${n.toString(16)}::1`;
  const all = Array.from({ length: 100 }, (_, n) => budget.takeGuess(addressOf(n)));
  const again = budget.takeGuess(addressOf(7));
  await expect(budget.takeGuess(addressOf(100))).rejects.toMatchObject({ status: 503, more: { retryAfterMs: 1_000 } });
  for (const end of taken.splice(0)) end();
  await Promise.all([...all, again]);
  const late = budget.takeGuess(addressOf(100));
  for (const end of taken) end();
  expect(await late).toBe(0);
});
