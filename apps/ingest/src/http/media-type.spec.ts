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
