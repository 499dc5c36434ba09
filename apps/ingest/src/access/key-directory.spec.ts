import { generateApiKey } from '@form-webhooks/domain';
import type { ApiKeyReply } from '@form-webhooks/messages';
import { beforeEach, describe, expect, it } from 'vitest';
import { KeyDirectory, KeySource } from './key-directory.js';

const MINUTE = 60_000;
const GOOD: ApiKeyReply = { valid: true, scopes: ['events:write'], expires_at: null };
const BAD: ApiKeyReply = { valid: false, scopes: [], expires_at: null };
const KNOWN = { kind: 'known', scopes: ['events:write'] };

/** Config as the test wants it; while `held` is set, answers wait until they are let go. */
class ScriptedSource extends KeySource {
  asked = 0;
  reply: ApiKeyReply | 'down' = GOOD;
  private waiting: (() => void)[] | undefined;

  hold(): void {
    this.waiting = [];
  }

  letGo(): void {
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    for (const go of waiting) go();
  }

  override async ask(): Promise<ApiKeyReply> {
    this.asked++;
    const { reply } = this;
    if (this.waiting) await new Promise<void>((go) => this.waiting!.push(go));
    if (reply === 'down') throw new Error('down');
    return reply;
  }
}

describe('KeyDirectory', () => {
  const key = generateApiKey();
  let now: number;
  let source: ScriptedSource;
  let keys: KeyDirectory;

  beforeEach(() => {
    now = 1_000_000;
    source = new ScriptedSource();
    const limits = { maxAgeMs: MINUTE, graceMs: 24 * 60 * MINUTE, refusalAgeMs: 5_000, pauseMs: 1_000 };
    keys = new KeyDirectory(source, limits, { now: () => now, elapsed: () => now });
  });

  /** As the caller check does it: what is at hand, else what config says. */
  const answer = async () => keys.peek(key) ?? (await keys.lookUp(key));
  const changed = () => keys.hear({ kind: 'api_key', key_id: key.id });

  it('asks once and uses the answer for the cache age, no longer', async () => {
    expect(await answer()).toEqual(KNOWN);
    now += MINUTE - 1;
    expect(await answer()).toEqual(KNOWN);
    expect(source.asked).toBe(1);
    now += 1;
    await answer();
    expect(source.asked).toBe(2);
  });

  it('asks once for all who want to know at the same time', async () => {
    source.hold();
    const answers = Promise.all([answer(), answer(), answer()]);
    source.letGo();
    expect(await answers).toEqual([KNOWN, KNOWN, KNOWN]);
    expect(source.asked).toBe(1);
  });

  it('asks again after a notice, and only about the key that changed', async () => {
    await answer();
    keys.hear({ kind: 'api_key', key_id: generateApiKey().id });
    keys.hear({ kind: 'form', form_id: 'f_1' });
    await answer();
    expect(source.asked).toBe(1);
    changed();
    source.reply = BAD;
    expect(await answer()).toEqual({ kind: 'unknown' });
  });

  it('does not remember an answer that was asked for before a change', async () => {
    source.hold();
    const early = answer();
    changed();
    source.reply = BAD;
    const late = answer();
    source.letGo();
    expect(await early).toEqual(KNOWN);
    expect(await late).toEqual({ kind: 'unknown' });
    expect(await answer()).toEqual({ kind: 'unknown' });
    expect(source.asked).toBe(2);
  });

  it('serves a known-good key on for the grace while config is down, and not a moment longer', async () => {
    await answer();
    source.reply = 'down';
    now += 24 * 60 * MINUTE;
    expect(await answer()).toEqual(KNOWN);
    now += 1_001;
    expect(await answer()).toEqual({ kind: 'unavailable' });
  });

  it('does so also after a reconnect at which notices may have been missed', async () => {
    await answer();
    source.reply = 'down';
    keys.reset();
    expect(keys.peek(key)).toBeUndefined();
    expect(await answer()).toEqual(KNOWN);
  });

  it('revalidates after a reconnect', async () => {
    await answer();
    keys.reset();
    source.reply = BAD;
    expect(await answer()).toEqual({ kind: 'unknown' });
  });

  it('does not serve on a key that a notice named before config went down', async () => {
    await answer();
    changed();
    source.reply = 'down';
    expect(await answer()).toEqual({ kind: 'unavailable' });
  });

  it('does not call an unknown key unknown while config is down', async () => {
    source.reply = 'down';
    expect(await answer()).toEqual({ kind: 'unavailable' });
  });

  it('leaves config alone for a moment after it did not answer, then asks again', async () => {
    source.reply = 'down';
    await answer();
    await answer();
    expect(source.asked).toBe(1);
    now += 1_001;
    source.reply = GOOD;
    expect(await answer()).toEqual(KNOWN);
  });

  it('remembers a refusal briefly, and not at all once the key was made', async () => {
    source.reply = BAD;
    await answer();
    await answer();
    expect(source.asked).toBe(1);
    source.reply = GOOD;
    changed();
    expect(await answer()).toEqual(KNOWN);
    source.reply = BAD;
    changed();
    await answer();
    now += 5_001;
    source.reply = GOOD;
    expect(await answer()).toEqual(KNOWN);
  });

  it('ends a key at its expiry, without waiting for the cache', async () => {
    source.reply = { ...GOOD, expires_at: now + 1_000 };
    expect(await answer()).toEqual(KNOWN);
    now += 1_000;
    expect(await answer()).toEqual({ kind: 'unknown' });
    source.reply = 'down';
    now += MINUTE;
    expect(await answer()).toEqual({ kind: 'unknown' });
  });

  it('forgets the oldest refusals rather than grow', async () => {
    source.reply = BAD;
    await answer();
    for (let i = 0; i < 1_000; i++) await keys.lookUp({ id: 'key_x', hash: String(i) });
    expect(keys.peek(key)).toBeUndefined();
  });
});
