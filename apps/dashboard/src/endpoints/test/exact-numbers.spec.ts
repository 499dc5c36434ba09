import { describe, expect, it } from 'vitest';
import { inexactNumber } from './exact-numbers.js';

describe('a number that would be sent as another', () => {
  it.each(['12345678901234567', '-12345678901234567', '1e400', '0.1234567890123456789', '9007199254740993'])(
    'is found: %s',
    (number) => {
      expect(inexactNumber(`{"a": [1, {"b": ${number}}], "c": 2}`)).toBe(number);
    },
  );

  it.each([
    '0',
    '-0',
    '0.10',
    '1.0',
    '1e2',
    '100e-2',
    '5E+3',
    '12345678901234560',
    '1e21',
    '1.5e-7',
    '9007199254740991',
  ])('is none that keeps its value: %s', (number) => {
    expect(inexactNumber(`{"a": ${number}}`)).toBeUndefined();
  });

  it('is none that stands in a text', () => {
    expect(inexactNumber('{"12345678901234567": "\\"12345678901234567"}')).toBeUndefined();
  });
});
