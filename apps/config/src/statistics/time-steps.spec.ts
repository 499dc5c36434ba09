import { describe, expect, it } from 'vitest';
import { equalSteps, ZoneClock } from './time-steps.js';

const days = (zone: string, from: string, to: string) =>
  new ZoneClock(zone).steps(Date.parse(from), Date.parse(to), '1d').map((at) => new Date(at).toISOString());
const shown = (steps: number[]) => steps.map((at) => new Date(at).toISOString());

describe('the steps of statistics', () => {
  it('are as long as the first without a time zone', () => {
    const from = Date.parse('2026-11-28T07:00:00Z');
    expect(shown(equalSteps(from, from + 3 * 86_400_000 - 1, '1d'))).toEqual([
      '2026-11-28T07:00:00.000Z',
      '2026-11-29T07:00:00.000Z',
      '2026-11-30T07:00:00.000Z',
    ]);
  });

  it('are the days of the time zone', () => {
    expect(days('Asia/Tokyo', '2026-11-28T12:00:00Z', '2026-11-30T12:00:00Z')).toEqual([
      '2026-11-27T15:00:00.000Z',
      '2026-11-28T15:00:00.000Z',
      '2026-11-29T15:00:00.000Z',
    ]);
    expect(days('Asia/Kolkata', '2026-11-28T12:00:00Z', '2026-11-29T12:00:00Z')).toEqual([
      '2026-11-27T18:30:00.000Z',
      '2026-11-28T18:30:00.000Z',
    ]);
  });

  it('are 23 and 25 hours long where clocks are put forward and back', () => {
    expect(days('Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z')).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(days('Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z')).toEqual([
      '2026-10-23T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]);
  });

  it.each(['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Cairo', 'America/Santiago', 'UTC'])(
    'follow each other without a gap all the year round in %s',
    (zone) => {
      const [from, to] = [Date.parse('2026-01-01T00:30:00Z'), Date.parse('2027-01-01T00:00:00Z')];
      for (const [step, hours] of [
        ['1d', 24],
        ['6h', 6],
      ] as const) {
        const steps = new ZoneClock(zone).steps(from, to, step);
        expect(steps[0]).toBeLessThanOrEqual(from);
        const lengths = steps.slice(1).map((at, index) => (at - steps[index]!) / 3_600_000);
        expect(Math.min(...lengths)).toBeGreaterThanOrEqual(hours - 1);
        expect(Math.max(...lengths)).toBeLessThanOrEqual(hours + 1);
      }
    },
  );
});
