import type { ArgumentsHost } from '@nestjs/common';
import type { Logger } from '@form-webhooks/telemetry';
import { expect, it, vi } from 'vitest';
import { ProblemFilter } from './problem-filter.js';
import type { RouteTable } from './route-table.js';

const filterWith = (logger: object): ProblemFilter => new ProblemFilter({} as RouteTable, logger as Logger);

/** What a caller is answered whose call ended with the error. */
function answerTo(
  error: unknown,
  filter = filterWith({ error: () => undefined, debug: () => undefined }),
): { status: number; retryAfter: unknown } {
  const answer = { status: 0, retryAfter: undefined as unknown };
  const reply = {
    code: (status: number): unknown => {
      answer.status = status;
      return reply;
    },
    headers: (headers: Record<string, unknown>): unknown => {
      answer.retryAfter = headers['retry-after'];
      return reply;
    },
    send: (): unknown => reply,
  };
  const http = { getRequest: () => ({ id: 'r' }), getResponse: () => reply };
  filter.catch(error, { switchToHttp: () => http } as unknown as ArgumentsHost);
  return answer;
}

const failure = (code: string): Error => Object.assign(new Error('refused'), { code });

it.each(['40P01', '40001'])('a call that lost to another one (%s) may be made again in a moment', (code) => {
  expect(answerTo(failure(code))).toEqual({ status: 503, retryAfter: '1' });
});

it('what nobody foresaw is our fault, and says nothing of when to come back', () => {
  expect(answerTo(failure('23505'))).toEqual({ status: 500, retryAfter: undefined });
});

it('calls that fail while the database is away are told of by one line a minute, any other by its own', () => {
  const [error, debug] = [vi.fn(), vi.fn()];
  const filter = filterWith({ error, debug });
  for (const code of ['ECONNREFUSED', 'ECONNREFUSED', '53300', '23505', '23505']) {
    answerTo(failure(code), filter);
  }
  expect([error.mock.calls.length, debug.mock.calls.length]).toEqual([4, 1]);
});
