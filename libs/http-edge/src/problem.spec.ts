import { describe, expect, it } from 'vitest';
import { methodNotAllowed, Problem, tooManyRequests, unauthorized, unavailable } from './problem.js';

describe('a problem document', () => {
  it('has the members of RFC 9457 and the id of its request', () => {
    expect(new Problem(404, 'There is none.').toDocument('req_1')).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'There is none.',
      request_id: 'req_1',
    });
  });

  it('has a code and the single errors where they were given', () => {
    const errors = [{ field: 'url', code: 'type', message: 'url is no text.' }];
    expect(new Problem(422, 'One is wrong.', { code: 'invalid', errors }).toDocument('req_1')).toEqual({
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      detail: 'One is wrong.',
      code: 'invalid',
      errors,
      request_id: 'req_1',
    });
  });

  it('names the endpoint that stands in the way', () => {
    const { endpoint_id } = new Problem(409, 'In use.', { endpointId: 'we_1' }).toDocument('req_1');
    expect(endpoint_id).toBe('we_1');
  });

  it('has a title also for a status that nobody knows', () => {
    expect(new Problem(499, '').title).toBe('Error');
  });
});

describe('the headers of a problem', () => {
  it.each([
    [0, '1'],
    [1, '1'],
    [1_000, '1'],
    [1_001, '2'],
    [30_000, '30'],
  ])('tell callers to come back after %d ms in whole seconds, never too early: %s', (ms, seconds) => {
    expect(tooManyRequests(ms, '', 'too_many_per_key').headers).toEqual({ 'retry-after': seconds });
    expect(unavailable(ms, '').headers).toEqual({ 'retry-after': seconds });
  });

  it('are those that its status asks for', () => {
    expect(unauthorized('').headers).toEqual({ 'www-authenticate': 'Bearer' });
    expect(methodNotAllowed('GET, HEAD', '').headers).toEqual({ allow: 'GET, HEAD' });
    expect(new Problem(400, '').headers).toEqual({});
  });
});
