import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupBy } from '../group-by.js';
import { deriveDeliveryId, randomEndpointId, randomEventId } from '../ids.js';
import {
  DEFAULT_RETRY_SCHEDULE,
  DEFERRAL_RUNGS_MS,
  delayAsked,
  nextLongerRung,
  parseRetrySchedule,
  sharedRungs,
  spreadDelay,
} from './retry-schedule.js';

const schedule = fc.array(fc.integer({ min: 1, max: 7 * 86_400_000 }), { minLength: 1, maxLength: 32 });

describe('parseRetrySchedule', () => {
  it('reads the default: eight attempts in about three hours', () => {
    const rungs = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE);
    expect(rungs).toEqual([10_000, 30_000, 90_000, 270_000, 810_000, 2_430_000, 7_290_000]);
    expect(rungs.reduce((sum, ms) => sum + ms, 0) / 3_600_000).toBeCloseTo(3.04, 2);
  });

  it('reads milliseconds and blanks', () => expect(parseRetrySchedule(' 100ms, 300ms ,')).toEqual([100, 300]));

  it.each(['', ' ', ',', '10', '0s', '8d', '10s;30s', 'x', Array.from({ length: 33 }, () => '1s').join(',')])(
    'refuses %j',
    (text) => expect(() => parseRetrySchedule(text)).toThrow(RangeError),
  );
});

describe('the delay of a retry', () => {
  const retry = (tryIndex = 0, endpointId: string = randomEndpointId()) => ({
    deliveryId: deriveDeliveryId(randomEventId(), endpointId),
    endpointId,
    tryIndex,
  });

  it('is never early, at most three tenths late, and the same each time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 * 86_400_000 }), fc.nat(31), (rung, at) => {
        const asked = retry(at);
        const delay = spreadDelay(rung, asked);
        expect(spreadDelay(rung, asked)).toBe(delay);
        expect(delay).toBeGreaterThanOrEqual(rung);
        expect(delay).toBeLessThanOrEqual(Math.ceil(rung * 1.3));
        expect(Number.isInteger(delay)).toBe(true);
      }),
    );
  });

  it('spreads one endpoint’s failures evenly over more than a fifth of every rung, in six queues', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 7 * 86_400_000 }), fc.nat(7), (rung, at) => {
        const endpointId = randomEndpointId();
        const delays = Array.from({ length: 2_400 }, () => spreadDelay(rung, retry(at, endpointId)));
        expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(rung / 5);
        const counts = [...groupBy(delays, String).values()].map(({ length }) => length);
        expect(counts).toHaveLength(6);
        // 400 each; a tenth of that many times over is beyond chance.
        expect(Math.min(...counts)).toBeGreaterThan(280);
        expect(Math.max(...counts)).toBeLessThan(520);
      }),
      { numRuns: 20 },
    );
  });

  it('differs between one delivery’s tries', () => {
    const first = retry(0, 'we_1');
    const delays = Array.from({ length: 8 }, (_, tryIndex) => spreadDelay(100_000, { ...first, tryIndex }));
    expect(new Set(delays).size).toBeGreaterThan(1);
  });

  it('differs between endpoints, over the whole range', () => {
    const factors = Array.from({ length: 2_000 }, () => spreadDelay(1_000_000, retry()) / 1_000_000);
    expect(Math.min(...factors)).toBeLessThan(1.005);
    expect(Math.max(...factors)).toBeGreaterThan(1.295);
    expect(factors.reduce((sum, factor) => sum + factor, 0) / factors.length).toBeCloseTo(1.15, 2);
    expect(new Set(factors).size).toBeGreaterThan(1_900);
  });
});

describe('the standing rungs', () => {
  const anyRetry = (tryIndex: number) => ({
    deliveryId: deriveDeliveryId(randomEventId(), 'we_1'),
    endpointId: randomEndpointId(),
    tryIndex,
  });

  it('hold one for every retry’s delay that is not shorter, ascending and each once', () => {
    fc.assert(
      fc.property(schedule, fc.nat(99_999_999), (rungs, asked) => {
        const standing = sharedRungs(rungs);
        expect([...standing]).toEqual([...new Set(standing)].sort((a, b) => a - b));
        expect(standing).toEqual(expect.arrayContaining([...DEFERRAL_RUNGS_MS]));
        rungs.forEach((rung, at) => {
          const delay = spreadDelay(rung, anyRetry(at));
          expect(nextLongerRung(standing, delay)).toBeGreaterThanOrEqual(delay);
        });
        expect(standing).toContain(delayAsked(rungs, asked));
      }),
    );
  });

  it('hold a wait that a receiver asks for, never early and at most a tenth or 2 s late, with any schedule', () => {
    const longest = (rungs: readonly number[]): number => Math.max(10_800_000, ...rungs);
    fc.assert(
      fc.property(schedule, fc.oneof(fc.integer({ min: 1_000, max: 120_000 }), fc.nat(700_000_000)), (rungs, any) => {
        const asked = Math.min(Math.max(any, 1_000), longest(rungs));
        const late = delayAsked(rungs, asked) - asked;
        expect(late).toBeGreaterThanOrEqual(0);
        expect(late).toBeLessThanOrEqual(Math.max(asked / 10, 2_000));
        expect(delayAsked(rungs, longest(rungs) + any)).toBe(delayAsked(rungs, longest(rungs)));
      }),
    );
  });

  it.each([1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1_800, 3_600, 7_200, 10_800])(
    'hold %d s, which receivers ask for, exactly, with any schedule',
    (seconds) => {
      fc.assert(
        fc.property(schedule, (rungs) => {
          expect(delayAsked(rungs, seconds * 1_000)).toBe(seconds * 1_000);
        }),
        { numRuns: 20 },
      );
    },
  );

  it('are bounded in number, by the schedule alone', () => {
    expect(sharedRungs(parseRetrySchedule(DEFAULT_RETRY_SCHEDULE))).toHaveLength(112);
    fc.assert(
      fc.property(schedule, (rungs) => {
        expect(sharedRungs(rungs).length).toBeLessThan(360);
      }),
    );
  });

  it('spread many endpoints’ failures over a fifth of every rung of the default schedule', () => {
    const rungs = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE);
    const standing = sharedRungs(rungs);
    rungs.forEach((rung, at) => {
      const delays = Array.from({ length: 600 }, () => nextLongerRung(standing, spreadDelay(rung, anyRetry(at))));
      expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(rung / 5);
      expect(Math.max(...delays)).toBeLessThanOrEqual(rung * 1.3);
      const counts = [...groupBy(delays, String).values()].map(({ length }) => length);
      expect(counts.length).toBeGreaterThanOrEqual(6);
      expect(Math.max(...counts)).toBeLessThan(160);
    });
  });

  it.each([
    [0, 1_000],
    [1_000, 1_000],
    [1_001, 4_000],
    [10_800_000, 10_800_000],
    [99_999_999, 10_800_000],
  ])('put %d ms on the rung of %d ms', (ms, rung) => expect(nextLongerRung(DEFERRAL_RUNGS_MS, ms)).toBe(rung));
});
