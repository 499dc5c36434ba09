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

  it('names members that are repeated in an object of the body, of which one would win in silence', () => {
    const { errors } = problemOf(
      '{"filter":{"state":"failed","st\\u0061te":"delivered"},"headers":{"A":"1","A":"2"}}',
    ).more;
    expect(errors!.map(({ field, code }) => [field, code])).toEqual([
      ['filter.state', 'duplicate_member'],
      ['headers.A', 'duplicate_member'],
    ]);
    expect(parse('{"a":{"x":1},"b":{"x":1,"c":{"x":1}},"x":[{"x":1},{"x":1}]}')).toBeDefined();
  });

  it('takes as many members and items as a call can need, and no more, wherever they stand', () => {
    const items = (count: number): string => `{"a":[${Array.from({ length: count - 1 }, () => '0').join(',')}]}`;
    const members = (count: number): string =>
      `{"a":{${Array.from({ length: count - 1 }, (_, n) => `"m${n}":0`).join(',')}}}`;
    for (const of of [items, members]) {
      expect(parse(of(2_000))).toBeDefined();
      expect(problemOf(of(2_001)).more.code).toBe('too_many_members');
    }
  });

  it('tells of very many faults the first, and how many there are', () => {
    const { detail, more } = problemOf(`{${Array.from({ length: 120 }, (_, n) => `"m${n % 60}":0`).join(',')}}`);
    expect(more.errors).toHaveLength(50);
    expect(detail).toBe('60 members are not valid; here are the first 50.');
  });

  it('never repeats much of what was sent', () => {
    const long = 'x'.repeat(5_000);
    expect(problemOf(`{"${long}":1,"${long}":2}`).message.length).toBeLessThan(200);
  });
});
