import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonType, isPlainEncoding } from './media-type.js';

describe('isJsonType', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json;',
    'application/json; charset=utf-8',
    'application/json;charset=UTF8',
    'application/json ; charset="utf-8"',
  ])('takes %s', (type) => expect(isJsonType(type)).toBe(true));

  it.each([
    '',
    'json',
    'text/weird',
    'text/json',
    'application/json5',
    'application/jsonp',
    'application/problem+json',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; boundary=x',
    'application/json, text/plain',
    'application/json\n',
  ])('refuses %j', (type) => expect(isJsonType(type)).toBe(false));

  it('judges each text as the obvious, slow expression does', () => {
    const obvious = /^application\/json[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-?8"?[\t ]*)?;?[\t ]*$/i;
    const parts = fc.constantFrom(
      ' ',
      '\t',
      ';',
      '=',
      '"',
      'charset',
      'utf-8',
      'UTF8',
      '; charset=utf-8',
      '\n',
      ',',
      'x',
    );
    const types = fc.array(parts, { maxLength: 8 }).map((all) => `application/json${all.join('')}`);
    fc.assert(
      fc.property(types, (type) => isJsonType(type) === obvious.test(type)),
      { numRuns: 5_000 },
    );
  });

  it.each([' ', '\t', ';', '; ', ' ;charset=utf-8', ';charset', ';charset=', ';charset=utf-8', ';charset=utf-8;'])(
    'reads 1 MB after %j once, not over and over',
    (part) => {
      const startedAt = performance.now();
      for (const row of [part, ' ', `${part} `]) {
        expect(isJsonType(`application/json${part}${row.repeat(1_000_000 / row.length)}x`)).toBe(false);
      }
      // The square of a million steps would take a quarter of an hour.
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    },
  );
});

it.each([
  [undefined, true],
  ['', true],
  ['identity', true],
  ['Identity', true],
  ['gzip', false],
  ['br', false],
  ['identity, gzip', false],
])('judges the content encoding %j', (encoding, plain) => {
  expect(isPlainEncoding(encoding)).toBe(plain);
});
