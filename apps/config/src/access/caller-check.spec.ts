import { setImmediate as nextTurn } from 'node:timers/promises';
import { generateApiKey, hashApiKey } from '@form-webhooks/domain';
import { unavailable, type Problem } from '@form-webhooks/http-edge';
import type { DataSource } from '@form-webhooks/storage';
import { describe, expect, it } from 'vitest';
import { RateLimiter } from '../rate-limits/rate-limiter.js';
import type { AccessRequest } from './access-request.js';
import type { AccessSettings } from './access-settings.js';
import { AdminKey } from './admin-key.js';
import type { Authenticator } from './authenticator.js';
import { CallerCheck } from './caller-check.js';
import { CallerIdentity } from './caller-identity.js';
import { KnownCredentials } from './known-credentials.js';
import { RequestBudget } from './request-budget.js';
import type { DashboardCallers } from './sessions/dashboard-callers.js';

const ALLOWED = 20;
const [GOOD, OTHER] = [generateApiKey().key, generateApiKey().key];
const SETTINGS = {
  adminApiKey: generateApiKey().key,
  requestsPerMinute: 10_000,
  workspaceRequestsPerMinute: 10_000,
  failedAuthenticationsPerMinute: ALLOWED,
} as AccessSettings;

/** Two keys are valid; a look-up takes a turn of the event loop. Buckets never refill. */
function stage(given: Partial<AccessSettings> = {}) {
  const settings = { ...SETTINGS, ...given };
  const lookups: string[] = [];
  const tokens = new Map<string, number>();
  const limiter = new RateLimiter({
    take: (bucket, { capacity }, { wanted, returned }) => {
      const held = (tokens.get(bucket) ?? capacity) + returned;
      const taken = Math.min(held, wanted);
      tokens.set(bucket, held - taken);
      return Promise.resolve({ taken, retryAfterSeconds: 60 });
    },
  });
  const authenticator = {
    away: false,
    identify: async (credential: string, ip: string) => {
      lookups.push(credential);
      await nextTurn();
      if (authenticator.away) throw unavailable(1_000, 'away');
      const valid = [GOOD, OTHER, SETTINGS.adminApiKey].includes(credential);
      return valid ? new CallerIdentity('key:k', 'k', ip, 'ws_1', new Set()) : undefined;
    },
  };
  const known = new KnownCredentials({} as DataSource);
  const budget = new RequestBudget(limiter, settings);
  const check = new CallerCheck(
    authenticator as unknown as Authenticator,
    new AdminKey(settings),
    known,
    budget,
    {} as DashboardCallers,
  );
  const identify = (credential: string) =>
    check.identify({ headers: { authorization: `Bearer ${credential}` }, ip: '192.0.2.1' } as AccessRequest);
  const statusOf = (credential: string): Promise<number> =>
    identify(credential)
      .then(() => 200)
      .catch((error: Problem) => error.status);
  const codeOf = (credential: string): Promise<string | undefined> =>
    identify(credential)
      .then(() => undefined)
      .catch((error: Problem) => error.more.code);
  return { lookups, known, authenticator, statusOf, codeOf };
}

const madeUp = (n: number): string[] => Array.from({ length: n }, () => generateApiKey().key);

describe('credentials that are wrong', () => {
  it('reach the database as often as failures are allowed, however many come at once', async () => {
    const { lookups, statusOf } = stage();
    const statuses = await Promise.all(madeUp(900).map(statusOf));
    expect(lookups).toHaveLength(ALLOWED);
    expect(statuses.filter((status) => status === 401)).toHaveLength(ALLOWED);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  it('are not looked up again while they are repeated', async () => {
    const { lookups, statusOf } = stage();
    const [wrong] = madeUp(1) as [string];
    for (let n = 0; n < 10; n++) expect(await statusOf(wrong)).toBe(401);
    expect(lookups).toHaveLength(1);
  });

  it('lock out neither the admin key nor one that was seen before', async () => {
    const { known, statusOf } = stage();
    expect(await statusOf(GOOD)).toBe(200);
    known.noteAccepted(hashApiKey(OTHER));
    await Promise.all(madeUp(ALLOWED + 5).map(statusOf));
    expect(await statusOf(madeUp(1)[0]!)).toBe(429);
    expect(await Promise.all([GOOD, OTHER, SETTINGS.adminApiKey].map(statusOf))).toEqual([200, 200, 200]);
  });
});

describe('a caller who asks too much', () => {
  it.each([
    ['credential', { requestsPerMinute: 2 }],
    ['workspace', { workspaceRequestsPerMinute: 2 }],
  ])('is told in a code that it is the budget of the %s', async (whose, settings) => {
    const { codeOf } = stage(settings);
    expect([await codeOf(GOOD), await codeOf(GOOD)]).toEqual([undefined, undefined]);
    expect(await codeOf(GOOD)).toBe(`too_many_per_${whose}`);
  });

  it('is told in a code that it is the guesses of its address', async () => {
    const { codeOf, statusOf } = stage();
    await Promise.all(madeUp(ALLOWED).map(statusOf));
    expect(await codeOf(madeUp(1)[0]!)).toBe('too_many_per_address');
  });
});

describe('credentials that are right', () => {
  it('cost no guess, nor do those that could not be judged', async () => {
    const { authenticator, lookups, statusOf } = stage();
    expect(await statusOf(GOOD)).toBe(200);
    authenticator.away = true;
    for (let n = 0; n < ALLOWED * 2; n++) expect(await statusOf(OTHER)).toBe(503);
    authenticator.away = false;
    lookups.length = 0;
    await Promise.all(madeUp(100).map(statusOf));
    expect(lookups).toHaveLength(ALLOWED);
  });
});
