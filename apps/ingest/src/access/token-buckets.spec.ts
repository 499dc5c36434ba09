import { describe, expect, it } from 'vitest';
import { TokenBuckets } from './token-buckets.js';

describe('TokenBuckets', () => {
  const make = (maxCallers?: number) => {
    const clock = { now: 0 };
    const buckets = new TokenBuckets({ burst: 2, perSecond: 4 }, () => clock.now, maxCallers);
    return { clock, buckets };
  };

  it('lets a burst through, then says how long to wait, each caller for itself', () => {
    const { buckets } = make();
    expect([buckets.take('a'), buckets.take('a'), buckets.take('a'), buckets.take('b')]).toEqual([0, 0, 250, 0]);
  });

  it('lets the caller in again after exactly that long', () => {
    const { clock, buckets } = make();
    buckets.take('a');
    buckets.take('a');
    clock.now = 249;
    expect(buckets.take('a')).toBe(1);
    clock.now = 250;
    expect(buckets.take('a')).toBe(0);
  });

  it('never saves up more than the burst', () => {
    const { clock, buckets } = make();
    buckets.take('a');
    clock.now = 1_000_000;
    expect([buckets.take('a'), buckets.take('a'), buckets.take('a')]).toEqual([0, 0, 250]);
  });

  it('takes tokens back, but never more than the burst', () => {
    const { buckets } = make();
    buckets.take('a');
    buckets.take('a');
    buckets.giveBack('a');
    expect([buckets.take('a'), buckets.take('a')]).toEqual([0, 250]);
    for (let i = 0; i < 10; i++) buckets.giveBack('b');
    expect([buckets.take('b'), buckets.take('b'), buckets.take('b')]).toEqual([0, 0, 250]);
  });

  it('forgets the least recently seen caller rather than grow', () => {
    const { buckets } = make(2);
    buckets.take('a');
    buckets.take('a');
    buckets.take('b');
    buckets.take('c');
    expect(buckets.take('a')).toBe(0);
  });
});
