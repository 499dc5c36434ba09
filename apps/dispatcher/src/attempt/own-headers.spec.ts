import { describe, expect, it } from 'vitest';
import { anAnswer } from '../testing/factories.js';
import { withoutValues } from './own-headers.js';

describe('an attempt that leaves the dispatcher', () => {
  const own = { authorization: 'Bearer canary-1', 'x-short': 'abc' };
  const response = { status: 200, truncated: false };

  it('shows which headers of the owner were sent, and none of their values', () => {
    const sent = anAnswer(200, { requestHeaders: { 'user-agent': 'spec', ...own } });
    expect(withoutValues(sent, own).requestHeaders).toEqual({
      'user-agent': 'spec',
      authorization: '***',
      'x-short': '***',
    });
  });

  it('shows no value where the receiver repeats it, and leaves what is only alike', () => {
    const headers = { 'x-request-id': 'for Bearer canary-1' };
    const sent = anAnswer(200, { response: { ...response, headers, excerpt: '{"got":"Bearer canary-1","abc":1}' } });
    expect(withoutValues(sent, own).response).toEqual({
      ...response,
      headers: { 'x-request-id': 'for ***' },
      excerpt: '{"got":"***","abc":1}',
    });
  });

  it('is as it was without such headers', () => {
    const sent = anAnswer(200);
    expect(withoutValues(sent, {})).toBe(sent);
  });
});
