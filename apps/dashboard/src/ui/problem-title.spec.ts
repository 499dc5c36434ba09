import { expect, it } from 'vitest';
import { ApiProblem, type ProblemBody } from '../api/problem.js';
import { problemTitle, unreachableAdvice } from './problem-title.js';

const titleOf = (status: number, body: ProblemBody = {}, retryAfter: string | null = null) =>
  problemTitle(new ApiProblem(status, body, retryAfter));
const wrong = (...codes: readonly string[]): ProblemBody => ({
  errors: codes.map((code) => ({ field: 'headers.x', code, message: 'English words' })),
});

it.each<readonly [string, number, ProblemBody, string]>([
  ['the code', 409, { code: 'limit_reached', detail: 'A form has at most 20 endpoints.' }, 'problem.limit'],
  ['what was done under its key', 422, { code: 'idempotency_key_reused' }, 'problem.answer-lost'],
  ['the one member that is wrong', 422, wrong('not_allowed'), 'problem.field.not-allowed'],
  ['the status where several members are wrong', 422, wrong('not_allowed', 'format'), 'problem.refused'],
  ['the status where the code is not known', 404, { code: 'new_one' }, 'problem.missing'],
  ['the status where a proxy has answered', 502, {}, 'problem.service'],
  ['no inherited name', 409, { code: 'constructor' }, 'problem.refused'],
])('a problem is named in the language of the page by %s', (_by, status, body, id) => {
  expect(titleOf(status, body)[0]).toBe(id);
});

it('says after how long it can be tried again', () => {
  expect(titleOf(429, {}, '7')).toEqual(['problem.many', { seconds: 7 }]);
});

it('promises to try again by itself for what the page does ask again, and never for a change', () => {
  expect(unreachableAdvice('repeated', true)).toBe('problem.unreachable.repeated');
  expect(unreachableAdvice('read', true)).toBe('problem.unreachable.read');
  expect(unreachableAdvice('write', true)).toBe('problem.unreachable.write');
  expect(unreachableAdvice('write', false)).toBe('problem.offline.what');
});
