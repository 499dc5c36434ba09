import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binUpperBound, latencyBin, percentile } from './latency-bins.js';

describe('latency bins', () => {
  it('hold the durations up to their upper bound', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_400_000 }), (ms) => {
        const bin = latencyBin(ms);
        expect(binUpperBound(bin)).toBeGreaterThanOrEqual(ms * (1 - 1e-9));
        if (bin > 0) expect(binUpperBound(bin - 1)).toBeLessThan(ms * (1 + 1e-9));
      }),
    );
  });

  it('give percentiles that are off by less than a fifth', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 2, max: 60_000 }), { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0.5, 0.95, 0.99),
        (durations, share) => {
          const counts = new Map<number, number>();
          for (const ms of durations) counts.set(latencyBin(ms), (counts.get(latencyBin(ms)) ?? 0) + 1);
          const exact = durations.toSorted((a, b) => a - b)[Math.ceil(share * durations.length) - 1]!;
          const found = percentile(counts, share)!;
          expect(found).toBeGreaterThan(exact / 1.2 - 1);
          expect(found).toBeLessThan(exact * 1.2 + 1);
        },
      ),
    );
  });

  it('give none where nothing was counted', () => {
    expect(percentile(new Map(), 0.5)).toBeNull();
  });
});
