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
    ['1.5', 2_000],
    ['0.2', 1_000],
    ['30.0', 30_000],
    ['0.0', 0],
    ['1000000000', 999_999_999_000],
    ['9'.repeat(400), 999_999_999_000],
    [`1.${'0'.repeat(400)}`, 1_000],
    ['Fri, 27 Nov 2026 12:00:30 GMT', 30_000],
    ['Fri, 04 Dec 2026 12:00:00 GMT', 7 * 86_400_000],
    ['Fri, 27 Nov 2026 11:59:00 GMT', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ])('reads %j', (value, ms) => expect(parseRetryAfter(value, NOW)).toBe(ms));

  it.each([
    undefined,
    '',
    ' ',
    '-5',
    '+5',
    '-1.5',
    '1.',
    '.5',
    '1.5.2',
    '1,5',
    '1e9',
    '1.5e3',
    '0x10',
    '1_000',
    '30s',
    '30; 60',
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
    'Fri, 04 Dec 2026 12:00:01 GMT',
    'Thu, 01 Jan 2099 00:00:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
  ])('ignores %j', (value) => expect(parseRetryAfter(value, NOW)).toBeUndefined());

  it('reads every date that is written as HTTP wants it, up to a week ahead', () => {
    const moments = fc.oneof(
      fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      fc.date({ min: new Date(NOW), max: new Date(NOW + 8 * 86_400_000), noInvalidDate: true }),
    );
    fc.assert(
      fc.property(moments, (date) => {
        const at = Math.floor(date.getTime() / 1_000) * 1_000;
        const asked = at - NOW > 7 * 86_400_000 ? undefined : Math.max(0, at - NOW);
        expect(parseRetryAfter(new Date(at).toUTCString(), NOW)).toBe(asked);
      }),
    );
  });

  it('rounds every number of seconds up, never down', () => {
    fc.assert(
      fc.property(fc.nat(99_999), fc.nat(999), (whole, thousandths) => {
        const ms = parseRetryAfter(`${whole}.${String(thousandths).padStart(3, '0')}`, NOW)!;
        expect(ms).toBe((whole + Math.ceil(thousandths / 1_000)) * 1_000);
      }),
    );
  });

  it('gives nothing negative or infinite for any text', () => {
    const digits = fc.stringMatching(/^[0-9.]{1,400}$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), digits), (text) => {
        const ms = parseRetryAfter(text, NOW) ?? 0;
        expect(ms >= 0 && Number.isFinite(ms)).toBe(true);
      }),
    );
  });
});
