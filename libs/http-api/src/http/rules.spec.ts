import { validateSync } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { IsMoment } from './rules.js';

class Asked {
  @IsMoment()
  from: unknown;
}

const takes = (from: unknown): boolean => validateSync(Object.assign(new Asked(), { from })).length === 0;

describe('a moment', () => {
  it.each([
    '2026-11-27T12:00:00Z',
    '2026-11-27T12:00:00.123456789+05:45',
    '1970-01-01T00:00:00Z',
    '1969-12-31T23:00:00-01:00',
    '9999-12-31T23:59:59.999Z',
    '2028-02-29T00:00:00Z',
  ])('may be %s', (text) => {
    expect(takes(text)).toBe(true);
  });

  it.each([
    ['of the year 10000 in UTC', '9999-12-31T23:59:59-01:00'],
    ['at the very end of the year 9999', '9999-12-31T24:00:00Z'],
    ['before the year 1970 in UTC', '1970-01-01T00:00:00+01:00'],
    ['of the year 0', '0000-01-01T00:00:00Z'],
    ['of a day that there is not', '2026-02-30T00:00:00Z'],
    ['of a leap day in another year', '2027-02-29T12:00:00Z'],
    ['of a month that there is not', '2026-13-01T00:00:00Z'],
    ['without an offset', '2026-11-27T12:00:00'],
    ['that is a day', '2026-11-27'],
    ['that is a number', 1_795_810_757_000],
  ])('is none that is %s', (_, text) => {
    expect(takes(text)).toBe(false);
  });
});
