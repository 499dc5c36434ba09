import { describe, expect, it } from 'vitest';
import type { Problem } from '@form-webhooks/http-edge';
import { parseJsonBody } from './json-body.js';

const parse = (text: string): object | undefined => parseJsonBody(Buffer.from(text));

const problemOf = (text: string): Problem => {
  try {
    parse(text);
  } catch (error) {
    return error as Problem;
  }
  throw new Error('it was accepted');
};

describe('parseJsonBody', () => {
  it('gives the object, and nothing for an empty body', () => {
    expect(parse('{"a":{"b":[1]}}')).toEqual({ a: { b: [1] } });
    expect(parse('')).toBeUndefined();
  });

  it.each([
    ['{"a":1', 400],
    ['{"a":01}', 400],
    ['\ufeff{}', 400],
    ['[1]', 422],
    [`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, 422],
    ['{"a":1,"\\u0061":2}', 422],
  ])('refuses %s', (text, status) => {
    expect(problemOf(text).status).toBe(status);
  });

  it.each([
    '{"__proto__":{}}',
    '{"a":[{"\\u005f_proto__":1}]}',
    '{"a":{"constructor":1}}',
    '{"toString":1}',
    '{"a":[{"hasOwnProperty":1}]}',
  ])('calls members that no DTO can have unknown: %s', (text) => {
    expect(problemOf(text).more.code).toBe('unknown_member');
  });

  it('names each repeated member once, among as many as there may be', () => {
    const names = Array.from({ length: 9_000 }, (_, n) => `"m${n}":0`);
    const { errors } = problemOf(`{${[...names, '"m8":1', '"m7":1', '"m8":2'].join(',')}}`).more;
    expect(errors!.map(({ field }) => field)).toEqual(['m8', 'm7']);
  });

  it('never repeats much of what was sent', () => {
    const long = 'x'.repeat(5_000);
    expect(problemOf(`{"${long}":1,"${long}":2}`).message.length).toBeLessThan(200);
  });
});
