import { IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';
import type { Problem } from '@form-webhooks/http-edge';
import { StrictDtoPipe } from './strict-dto.pipe.js';

class NamedDto {
  @IsOptional()
  @IsString()
  name?: string;
}

const pipe = new StrictDtoPipe();

/** As Fastify's parser gives a query: without a prototype. */
const queryOf = (text: string): object => Object.setPrototypeOf(JSON.parse(text) as object, null) as object;

const problemOf = async (value: object, type: 'query' | 'body'): Promise<Problem> => {
  try {
    await pipe.transform(value, { type, metatype: NamedDto });
  } catch (error) {
    return error as Problem;
  }
  throw new Error('it was accepted');
};

describe('a DTO', () => {
  const names = [...Object.getOwnPropertyNames(Object.prototype), 'prototype'];

  it.each(names)('has no member %s, in a query or a body', async (name) => {
    const text = `{"name":"a",${JSON.stringify(name)}:"b"}`;
    for (const type of ['query', 'body'] as const) {
      const problem = await problemOf(queryOf(text), type);
      expect(problem.status).toBe(422);
      expect(problem.more.errors).toEqual([
        { field: name, code: 'unknown_member', message: `There is no member ${name}.` },
      ]);
    }
  });

  it('is an instance of its class with what it knows', async () => {
    expect(await pipe.transform(queryOf('{"name":"a"}'), { type: 'query', metatype: NamedDto })).toEqual({ name: 'a' });
  });

  it('is made of no query with more names than any has', async () => {
    const names = (count: number): object =>
      queryOf(JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, '']))));
    expect((await problemOf(names(101), 'query')).more.code).toBe('too_many_members');
    expect((await problemOf(names(100), 'query')).more.errors).toHaveLength(50);
  });
});
