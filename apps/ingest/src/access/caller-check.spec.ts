import { generateApiKey, hashApiKey, type ApiKeyReference } from '@form-webhooks/domain';
import type { ApiKeyReply } from '@form-webhooks/messages';
import { beforeEach, describe, expect, it } from 'vitest';
import { CallerCheck } from './caller-check.js';
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
    const perNetwork = new TokenBuckets({ burst: 3, perSecond: 1 }, () => now);
    callers = new CallerCheck(keys, perKey, perNetwork);
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
    expect(await check(generateApiKey().key)).toEqual({ kind: 'throttled', waitMs: 1_000, why: 'address' });
    expect(await kindOf(undefined)).toBe('throttled');
    expect(source.asked).toHaveLength(asked);
    now += 1_000;
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

  it('says that it can not tell while config is down, and holds that against nobody', async () => {
    source.down = true;
    for (let i = 0; i < 10; i++) expect(await kindOf(generateApiKey().key)).toBe('unavailable');
  });
});
