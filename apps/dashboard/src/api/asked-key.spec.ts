import { expect, it } from 'vitest';
import { AskedKey } from './asked-key.js';
import { ApiProblem, Unreachable } from './problem.js';

const counting = (): AskedKey => {
  let made = 0;
  return new AskedKey(() => `key ${++made}`);
};

it('keeps the key while the same is asked for, also after an answer that got lost', () => {
  const key = counting();
  expect(key.of({ name: 'ci' })).toBe('key 1');
  key.failed(new Unreachable(undefined));
  expect(key.of({ name: 'ci' })).toBe('key 1');
});

it('takes another key for what is not the same any more', () => {
  const key = counting();
  key.of({ name: 'ci', scopes: ['endpoints:read'] });
  key.failed(new Unreachable(undefined));
  expect(key.of({ name: 'ci', scopes: ['endpoints:write'] })).toBe('key 2');
});

it('takes another key after a refusal, whose answer would only be repeated', () => {
  const key = counting();
  key.of({ name: 'ci' });
  key.failed(new ApiProblem(422, {}, null));
  expect(key.of({ name: 'ci' })).toBe('key 2');
});
