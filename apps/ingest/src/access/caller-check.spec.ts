import { generateApiKey, hashApiKey, type ApiKeyReference } from '@form-webhooks/domain';
import type { ApiKeyReply } from '@form-webhooks/messages';
import { beforeEach, describe, expect, it } from 'vitest';
import { CallerCheck } from './caller-check.js';
import { FailureBudget } from './failure-budget.js';
import { KeyDirectory, KeySource } from './key-directory.js';
import { TokenBuckets } from './token-buckets.js';

class MapSource extends KeySource {
  readonly asked: ApiKeyReference[] = [];
  readonly replies = new Map<string, ApiKeyReply>();
  down = false;

  override ask(key: ApiKeyReference): Promise<ApiKeyReply> {
    this.asked.push(key);
    if (this.down) return Promise.reject(new Error('down'));
    return Promise.resolve(this.replies.get(key.hash) ?? { valid: false, scopes: [], expires_at: null });
  }
}

describe('CallerCheck', () => {
  /** How many failures a minute one address may make. */
  const FAILURES = 3;
  const ADDRESS = '203.0.113.7';
  const key = generateApiKey();
  let now: number;
  let source: MapSource;
  let callers: CallerCheck;

  beforeEach(() => {
    now = 0;
    source = new MapSource();
    source.replies.set(key.hash, { valid: true, scopes: ['events:write'], expires_at: null });
    const limits = { maxAgeMs: 60_000, graceMs: 3_600_000, refusalAgeMs: 5_000, pauseMs: 1_000 };
    const keys = new KeyDirectory(source, limits, { now: () => now, elapsed: () => now });
    const perKey = new TokenBuckets({ burst: 5, perSecond: 5 }, () => now);
    callers = new CallerCheck(keys, perKey, new FailureBudget(FAILURES, () => now));
  });

  const check = (text: string | undefined, address = ADDRESS) => callers.check(text && `Bearer ${text}`, address);
  const kindOf = async (text: string | undefined, address = ADDRESS) => (await check(text, address)).kind;

  it('admits a key that may write events, and asks about it by id and hash only', async () => {
    expect(await check(key.key)).toEqual({ kind: 'admitted', keyId: key.id });
    expect(source.asked).toEqual([{ id: key.id, hash: key.hash }]);
  });

  it('takes the scheme in any case', async () => {
    expect((await callers.check(`bearer  ${key.key}`, ADDRESS)).kind).toBe('admitted');
  });

  it('asks about the free-form admin key as such', async () => {
    const text = 'an-admin-key-of-the-operator';
    source.replies.set(hashApiKey(text), { valid: true, scopes: ['events:write'], expires_at: null });
    expect(await check(text)).toEqual({ kind: 'admitted', keyId: 'admin' });
    expect(source.asked).toEqual([{ id: 'admin', hash: hashApiKey(text) }]);
  });

  it.each([
    ['nothing', undefined],
    ['a short text', 'short'],
    ['a key with a changed character', `${key.key.slice(0, -1)}${key.key.endsWith('a') ? 'b' : 'a'}`],
    ['two words', `${key.key} ${key.key}`],
    ['a text of 4 KiB', 'x'.repeat(4_096)],
    ['characters that no key has', `${'é'.repeat(30)}`],
  ])('refuses %s without asking config', async (_what, text) => {
    expect(await kindOf(text)).toBe('unauthenticated');
    expect(source.asked).toHaveLength(0);
  });

  it('refuses another scheme', async () => {
    expect((await callers.check(`Basic ${key.key}`, ADDRESS)).kind).toBe('unauthenticated');
  });

  it('tells a key without the scope apart', async () => {
    source.replies.set(key.hash, { valid: true, scopes: ['forms:write'], expires_at: null });
    expect(await kindOf(key.key)).toBe('forbidden');
  });

  it('limits the events of one key', async () => {
    for (let i = 0; i < 5; i++) expect(await kindOf(key.key)).toBe('admitted');
    expect(await check(key.key)).toEqual({ kind: 'throttled', waitMs: 200, why: 'key' });
  });

  it('stops an address that guesses, without asking config any more, and lets it try again later', async () => {
    for (let i = 0; i < 3; i++) expect(await kindOf(generateApiKey().key)).toBe('unauthenticated');
    const asked = source.asked.length;
    expect(await check(generateApiKey().key)).toEqual({ kind: 'throttled', waitMs: 20_000, why: 'address' });
    expect(await kindOf(undefined)).toBe('throttled');
    expect(source.asked).toHaveLength(asked);
    now += 20_000;
    expect(await kindOf(generateApiKey().key)).toBe('unauthenticated');
  });

  it('lets a known-good key through from such an address, also when its copy is old', async () => {
    await check(key.key);
    for (let i = 0; i < 5; i++) await check('guess-guess-guess-guess-guess');
    expect(await kindOf(key.key)).toBe('admitted');
    now += 60_000;
    for (let i = 0; i < 5; i++) await check(generateApiKey().key);
    expect(await kindOf(key.key)).toBe('admitted');
  });

  it('counts one IPv6 network as one address', async () => {
    for (let i = 1; i <= 3; i++) await check('guess-guess-guess-guess-guess', `2001:db8::${i}`);
    expect(await kindOf('guess-guess-guess-guess-guess', '2001:db8::ffff')).toBe('throttled');
    expect(await kindOf('guess-guess-guess-guess-guess', '2001:db8:0:1::1')).toBe('unauthenticated');
  });

  it('counts an IPv4 address as one caller, also when it comes mapped to IPv6', async () => {
    const forms = ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207'];
    for (const address of forms) await check('guess-guess-guess-guess-guess', address);
    for (const address of forms) expect(await kindOf('guess-guess-guess-guess-guess', address)).toBe('throttled');
  });

  it('asks config about no more made-up keys than an address may fail, however many come at once', async () => {
    const verdicts = await Promise.all(Array.from({ length: 900 }, () => kindOf(generateApiKey().key)));
    expect(source.asked).toHaveLength(FAILURES);
    expect(verdicts.filter((kind) => kind === 'unauthenticated')).toHaveLength(FAILURES);
    expect(verdicts.filter((kind) => kind === 'throttled')).toHaveLength(900 - FAILURES);
  });

  it('asks once about a wrong key that comes many times at once', async () => {
    const { key: wrong } = generateApiKey();
    await Promise.all(Array.from({ length: 50 }, () => kindOf(wrong)));
    now += 4_999;
    await kindOf(wrong);
    expect(source.asked).toHaveLength(1);
  });

  it('takes nothing from an address for good keys, however many of one or of several come at once', async () => {
    const keys = Array.from({ length: 10 }, () => generateApiKey());
    for (const { hash } of keys) source.replies.set(hash, { valid: true, scopes: ['events:write'], expires_at: null });
    for (const { key: text } of keys) {
      expect(await Promise.all([kindOf(text), kindOf(text), kindOf(text), kindOf(text)])).not.toContain('throttled');
    }
    for (let i = 0; i < FAILURES; i++) expect(await kindOf(generateApiKey().key)).toBe('unauthenticated');
  });

  it('lets in a good key that nobody knows yet when it comes again, beside somebody who guesses all the time', async () => {
    const guess = () => Promise.all(Array.from({ length: 500 }, () => check(generateApiKey().key)));
    await guess();
    expect(await kindOf(key.key)).toBe('throttled');
    for (let second = 0; second < 5; second++) {
      now += 1_000;
      await guess();
    }
    expect(await kindOf(key.key)).toBe('admitted');
  });

  it('lets an address that repeats its guesses ask little more', async () => {
    const guesses = Array.from({ length: 200 }, () => generateApiKey().key);
    for (let second = 0; second < 5; second++) {
      for (const guess of guesses) await check(guess);
      now += 1_000;
    }
    expect(source.asked.length).toBeLessThanOrEqual(FAILURES + 1);
  });

  it('lets a bounded number of requests wait for config', async () => {
    const asked = Array.from({ length: 1_100 }, (_, i) => kindOf(generateApiKey().key, `192.0.${i >> 8}.${i & 255}`));
    expect(callers.underWay.held).toBe(1_000);
    expect((await Promise.all(asked)).filter((kind) => kind === 'busy')).toHaveLength(100);
    expect(callers.underWay.held).toBe(0);
  });

  it('says that it can not tell while config is down, and holds that against nobody', async () => {
    source.down = true;
    for (let i = 0; i < 10; i++) expect(await kindOf(generateApiKey().key)).toBe('unavailable');
  });
});
