// eslint-disable-next-line @nx/enforce-module-boundaries -- the kit ships without its specs, and it is what may import nothing
import { describe, expect, it } from 'vitest';
import { Deduplicator } from './deduplicator.js';

describe('Deduplicator', () => {
  it('lets a delivery be claimed once', () => {
    const deduplicator = new Deduplicator();
    expect(deduplicator.claim('dlv_a')).toBe(true);
    expect(deduplicator.claim('dlv_a')).toBe(false);
    expect(deduplicator.claim('dlv_b')).toBe(true);
    expect(deduplicator.has('dlv_a')).toBe(true);
    expect(deduplicator.has('dlv_c')).toBe(false);
  });

  it('lets the retry in after the work failed', () => {
    const deduplicator = new Deduplicator();
    deduplicator.claim('dlv_a');
    deduplicator.release('dlv_a');
    expect(deduplicator.claim('dlv_a')).toBe(true);
  });

  it('never holds more than its capacity, and forgets the oldest first', () => {
    const deduplicator = new Deduplicator({ capacity: 3 });
    for (const id of ['a', 'b', 'c', 'd']) deduplicator.claim(id);
    expect(deduplicator.size).toBe(3);
    expect(deduplicator.has('a')).toBe(false);
    expect(['b', 'c', 'd'].map((id) => deduplicator.claim(id))).toEqual([false, false, false]);
  });

  it('forgets after a while', () => {
    let now = 0;
    const deduplicator = new Deduplicator({ rememberMs: 1_000, now: () => now });
    deduplicator.claim('a');
    now = 600;
    deduplicator.claim('b');
    now = 999;
    expect(deduplicator.claim('a')).toBe(false);
    now = 1_000;
    expect(deduplicator.claim('a')).toBe(true);
    expect(deduplicator.claim('b')).toBe(false);
  });

  it('remembers for longer than the day for which a delivery is tried, unless it is told otherwise', () => {
    let now = 0;
    const deduplicator = new Deduplicator({ now: () => now });
    deduplicator.claim('a');
    now = 30 * 3_600_000;
    expect(deduplicator.claim('a')).toBe(false);
  });

  it('says what is wrong with its options', () => {
    expect(() => new Deduplicator({ capacity: 0 })).toThrow('capacity is 0');
    expect(() => new Deduplicator({ capacity: 1.5 })).toThrow('capacity is 1.5');
    expect(() => new Deduplicator({ rememberMs: NaN })).toThrow('rememberMs is NaN');
  });
});
