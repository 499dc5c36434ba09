import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomEndpointId } from '../ids.js';
import {
  DEFAULT_RETRY_SCHEDULE,
  DEFERRAL_RUNGS_MS,
  delayAfter,
  nextLongerRung,
  parseRetrySchedule,
  standingRungs,
  stretchOf,
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

describe('the delay of an endpoint', () => {
  it('is never early, at most a tenth late, and the same each time', () => {
    fc.assert(
      fc.property(schedule, fc.nat(31), (rungs, at) => {
        const endpointId = randomEndpointId();
        const delay = delayAfter(rungs, at, endpointId);
        expect(delayAfter(rungs, at, endpointId)).toBe(delay);
        expect(delay === undefined).toBe(rungs[at] === undefined);
        if (rungs[at] === undefined) return;
        expect(delay).toBeGreaterThanOrEqual(rungs[at]);
        expect(delay).toBeLessThanOrEqual(Math.ceil(rungs[at] * 1.1));
        expect(Number.isInteger(delay)).toBe(true);
      }),
    );
  });

  it('differs between endpoints, over the whole range', () => {
    const stretches = Array.from({ length: 2_000 }, () => stretchOf(randomEndpointId()));
    expect(Math.min(...stretches)).toBeLessThan(1.005);
    expect(Math.max(...stretches)).toBeGreaterThan(1.095);
    expect(stretches.reduce((sum, s) => sum + s, 0) / stretches.length).toBeCloseTo(1.05, 2);
  });
});

describe('the standing rungs', () => {
  it('hold one for every endpoint’s delay that is not shorter, ascending and each once', () => {
    fc.assert(
      fc.property(schedule, (rungs) => {
        const standing = standingRungs(rungs);
        expect([...standing]).toEqual([...new Set(standing)].sort((a, b) => a - b));
        expect(standing).toEqual(expect.arrayContaining([...DEFERRAL_RUNGS_MS]));
        rungs.forEach((_, at) => {
          const delay = delayAfter(rungs, at, randomEndpointId())!;
          expect(nextLongerRung(standing, delay)).toBeGreaterThanOrEqual(delay);
        });
      }),
    );
  });

  it.each([
    [0, 1_000],
    [1_000, 1_000],
    [1_001, 4_000],
    [10_800_000, 10_800_000],
    [99_999_999, 10_800_000],
  ])('put %d ms on the rung of %d ms', (ms, rung) => expect(nextLongerRung(DEFERRAL_RUNGS_MS, ms)).toBe(rung));
});
