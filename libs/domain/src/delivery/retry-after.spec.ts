import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from './retry-after.js';

const NOW = Date.parse('2026-11-27T12:00:00Z');

describe('parseRetryAfter', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    ['007', 7_000],
    ['999999999', 999_999_999_000],
    ['Fri, 27 Nov 2026 12:00:30 GMT', 30_000],
    ['Fri, 27 Nov 2026 11:59:00 GMT', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ])('reads %j', (value, ms) => expect(parseRetryAfter(value, NOW)).toBe(ms));

  it.each([
    undefined,
    '',
    ' ',
    '-5',
    '+5',
    '1.5',
    '1e9',
    '0x10',
    '1000000000',
    '5 ',
    ' 5',
    '5, 10',
    'tomorrow',
    '٣',
    'NaN',
    'Infinity',
    '2035-10-21',
    '2035-10-21T00:00:00Z',
    'Fri, 27 Nov 2026 12:00:30',
    'Fri, 27 Nov 2026 12:00:30 CET',
    'Fri, 27 nov 2026 12:00:30 GMT',
    'Friday, 27-Nov-26 12:00:30 GMT',
    'Fri Nov 27 12:00:30 2026',
    'Sat, 31 Feb 2035 00:00:00 GMT',
    'Fri, 27 Nov 2026 25:00:00 GMT',
    'Fri, 27 Nov 2026 12:60:00 GMT',
  ])('ignores %j', (value) => expect(parseRetryAfter(value, NOW)).toBeUndefined());

  it('reads every date that is written as HTTP wants it', () => {
    const moments = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(moments, (date) => {
        const at = Math.floor(date.getTime() / 1_000) * 1_000;
        expect(parseRetryAfter(new Date(at).toUTCString(), NOW)).toBe(Math.max(0, at - NOW));
      }),
    );
  });

  it('gives nothing negative or infinite for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const ms = parseRetryAfter(text, NOW) ?? 0;
        expect(ms >= 0 && Number.isFinite(ms)).toBe(true);
      }),
    );
  });
});
