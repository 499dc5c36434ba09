import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestRank } from './nearest-rank.js';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

describe('the nearest rank', () => {
  it.each([
    [100, 0.5, 50],
    [100, 0.99, 99],
    [100, 1, 100],
    [101, 0.5, 51],
    [3, 0.99, 3],
    [2, 0.5, 1],
    [1, 0.01, 1],
  ])('of 1 to %i is for the share %d the value %i', (count, share, value) =>
    expect(nearestRank(upTo(count), share)).toBe(value),
  );

  it('is one of the values, and the least that so many are not above', () => {
    const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(values, fc.constantFrom(0.5, 0.95, 0.99), (all, share) => {
        const found = nearestRank(
          all.toSorted((a, b) => a - b),
          share,
        );
        expect(all.filter((one) => one <= found).length).toBeGreaterThanOrEqual(share * all.length);
        expect(all.filter((one) => one < found).length).toBeLessThan(share * all.length);
      }),
    );
  });

  it('of nothing is no number', () => expect(nearestRank([], 0.5)).toBeNaN());
});
