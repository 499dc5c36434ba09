import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMoment, MAX_MOMENT_MS, rfc3339 } from './moment.js';

describe('a moment', () => {
  it('ends with the year 9999', () => {
    expect(new Date(MAX_MOMENT_MS).toISOString()).toBe('9999-12-31T23:59:59.999Z');
  });

  it.each([0, 1, MAX_MOMENT_MS])('can be %s', (ms) => expect(isMoment(ms)).toBe(true));

  it.each([-1, 0.5, NaN, Infinity, MAX_MOMENT_MS + 1, '1', null, undefined])('can not be %s', (value) => {
    expect(isMoment(value)).toBe(false);
  });

  it('is written as Date writes it, in any order', () => {
    const apart = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: MAX_MOMENT_MS }));
    fc.assert(
      fc.property(fc.array(apart), (moments) => {
        expect(moments.map(rfc3339)).toEqual(moments.map((ms) => new Date(ms).toISOString()));
      }),
    );
    expect([0.5, -1, -1_001].map(rfc3339)).toEqual([
      '1970-01-01T00:00:00.000Z',
      '1969-12-31T23:59:59.999Z',
      '1969-12-31T23:59:58.999Z',
    ]);
    for (const none of [NaN, Infinity]) expect(() => rfc3339(none)).toThrow(RangeError);
    expect(rfc3339(1)).toBe('1970-01-01T00:00:00.001Z');
  });
});
