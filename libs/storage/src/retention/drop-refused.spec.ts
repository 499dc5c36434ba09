import { describe, expect, it } from 'vitest';
import { ClocksDiffer, DropRefused, refuseUnlessClocksAgree, TooManyDays } from './drop-refused.js';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const HOUR_MS = 3_600_000;

describe('days of the log', () => {
  it.each([0, HOUR_MS, -HOUR_MS])('are dropped while both clocks tell about the same: %i ms apart', (offsetMs) => {
    expect(() => refuseUnlessClocksAgree(3, NOW + offsetMs, NOW)).not.toThrow();
  });

  it.each([
    [2, "the database's clock is 2 hours ahead of this one"],
    [-31 * 24, "the database's clock is 744 hours behind this one"],
  ])('stay, however few they are, if one of them must be wrong: %i hours apart', (hours, words) => {
    const drop = () => refuseUnlessClocksAgree(1, NOW + hours * HOUR_MS, NOW);
    expect(drop).toThrow(ClocksDiffer);
    expect(drop).toThrow(words);
  });

  it('that stay are counted, whatever kept them', () => {
    const refusals = [new TooManyDays(20, 7), new ClocksDiffer(3, 31 * 24 * HOUR_MS)];
    expect(refusals.every((error) => error instanceof DropRefused)).toBe(true);
    expect(refusals.map(({ days }) => days)).toEqual([20, 3]);
  });
});
