import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../api/queries.js';
import { compareAttempts } from './compare-attempts.js';

const attempt = (status: number, body: string, headers: Record<string, string>): Attempt =>
  ({
    request: { method: 'POST', url: 'https://a.example/', headers, body, curl: null },
    response: { status, headers: { date: String(status) }, excerpt: 'same', excerpt_base64: null, truncated: false },
    ...{ error: null, remote_address: '192.0.2.7' },
  }) as unknown as Attempt;

describe('two attempts', () => {
  const first = attempt(503, '{"timestamp":1,"form_id":"f_1"}', { 'x-attempt': '1', host: 'a', gone: 'x' });
  const second = attempt(200, '{"timestamp":2,"form_id":"f_1"}', { 'x-attempt': '2', host: 'a' });

  it('are shown with what differs and nothing else', () => {
    const { facts, body, answer } = compareAttempts(first, second);
    expect(facts.map(({ name, values }) => [name, ...values])).toEqual([
      ['', '503', '200'],
      ['gone', 'x', null],
      ['x-attempt', '1', '2'],
      ['date', '503', '200'],
    ]);
    expect(body.filter(({ kind }) => kind === 'gone' || kind === 'new').map(({ text }) => text)).toEqual([
      '  "timestamp": 1,',
      '  "timestamp": 2,',
    ]);
    expect(answer).toEqual([]);
  });

  it('differ in nothing if they are the same', () => {
    expect(compareAttempts(first, first)).toEqual({ facts: [], body: [], answer: [], isPartial: false });
  });

  it('are not called the same where a body of theirs is missing or cut off', () => {
    const { request, response } = first;
    const unseen = { ...first, request: { ...request, body: null } };
    const hidden = { ...first, response: { ...response!, excerpt: null } };
    const cut = { ...first, response: { ...response!, truncated: true } };
    const unanswered = { ...first, response: null };
    const isPartial = (other: Attempt): boolean => compareAttempts(first, other).isPartial;
    expect([unseen, hidden, cut, unanswered].map(isPartial)).toEqual([true, true, true, false]);
  });
});
