import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.js';

describe('parseDuration', () => {
  it.each([
    ['100ms', 100],
    ['10s', 10_000],
    ['5m', 300_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
    ['0s', 0],
    [' 1s ', 1_000],
  ])('reads %j', (text, ms) => expect(parseDuration(text)).toBe(ms));

  it.each([
    '',
    '10',
    's',
    '-1s',
    '+1s',
    '1.5s',
    '1e3s',
    '1 s',
    '1S',
    '1w',
    '1s2m',
    '٣s',
    '99999999999999999s',
    '9999999999999999d',
  ])('refuses %j and says what was given', (text) => expect(() => parseDuration(text)).toThrow(RangeError));
});

it('writes a duration that reads back as the same', () => {
  fc.assert(
    fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (ms) => {
      expect(parseDuration(formatDuration(ms))).toBe(ms);
    }),
  );
});

it.each([
  [0, '0ms'],
  [1_500, '1500ms'],
  [90_000, '90s'],
  [120_000, '2m'],
  [86_400_000, '1d'],
])('writes %d as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
