import { describe, expect, it, vi } from 'vitest';
import { ApiClient } from './api-client.js';
import { Installation } from './installation.js';
import type { OpsFailure } from './ops-command.js';

async function refused(status: number, body: unknown): Promise<OpsFailure> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(text, { status }));
  const environment = { CONFIG_URL: 'http://127.0.0.1:9', ADMIN_API_KEY: 'the-admin-key-of-the-tests-0123456789' };
  const api = new ApiClient(new Installation('the environment', environment));
  return api.call('GET', '/v1/forms/f_1').then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error as OpsFailure,
  );
}

describe('what config refuses', () => {
  it.each([
    ['nothing of that id', 404, 1],
    ['a call that is never right', 400, 2],
    ['a value that is never right', 422, 2],
    ['another key', 401, 3],
    ['what stands otherwise', 409, 3],
    ['too much at a time', 429, 3],
    ['what it can not do now', 503, 3],
  ])('as %s (%i) ends with %i', async (_, status, code) => {
    const failure = await refused(status, { status, detail: 'It is so.' });
    expect(failure).toMatchObject({ exitCode: code, message: `config answers ${status}: It is so.` });
  });

  it.each(['<html>', 'null', '{"error":"not found"}'])('is not what another server says: %j', async (text) => {
    expect(await refused(404, text)).toMatchObject({
      exitCode: 3,
      message: 'what answers at http://127.0.0.1:9 is not config: it says 404',
      advice: expect.stringContaining('CONFIG_URL'),
    });
  });

  it('is told once, with the members that are wrong', async () => {
    const [from, state] = ['from', 'state'].map((field) => ({
      field,
      code: 'format',
      message: `${field} is no such.`,
    }));
    const one = await refused(422, { detail: state!.message, errors: [state] });
    expect(one.message).toBe('config answers 422: state: state is no such.');
    const two = await refused(422, { detail: '2 members are not valid.', errors: [from, state] });
    expect(two.message).toBe(
      'config answers 422: 2 members are not valid.\n  from: from is no such.\n  state: state is no such.',
    );
  });

  it.each([
    [500, { detail: 'Something went wrong.', request_id: 'req_1' }, "look in config's log for the request id req_1"],
    [502, '<html>Bad Gateway</html>', 'look at config and at what stands before it'],
    [503, { detail: 'The database can not serve this now.', request_id: 'req_1' }, 'try again in a moment'],
    [422, { detail: '2 members are not valid.', request_id: 'req_1' }, 'correct the call'],
  ])('as %i says what to do about it, and blames nobody for a fault of config', async (status, body, advice) => {
    expect(await refused(status, body)).toMatchObject({ advice: expect.stringContaining(advice) });
  });
});
