import { describe, expect, it } from 'vitest';
import { isMoment, MAX_MOMENT_MS } from './moment.js';

describe('a moment', () => {
  it('ends with the year 9999', () => {
    expect(new Date(MAX_MOMENT_MS).toISOString()).toBe('9999-12-31T23:59:59.999Z');
  });

  it.each([0, 1, MAX_MOMENT_MS])('can be %s', (ms) => expect(isMoment(ms)).toBe(true));

  it.each([-1, 0.5, NaN, Infinity, MAX_MOMENT_MS + 1, '1', null, undefined])('can not be %s', (value) => {
    expect(isMoment(value)).toBe(false);
  });
});
