import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Receiver } from '../support/receiver.js';
import { Stack } from '../support/stack.js';

const WAIT = { timeout: 60_000, interval: 50 };
const CANARY = 'Bearer canary-4711';

let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  stack = await Stack.start({ keptLines: 5_000 });
});

afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
});

const post = async (form: string, submission = 's_1'): Promise<void> => {
  const event = { event: 'submission.created', form_id: form, submission_id: submission, fields: {} };
  expect((await stack.post(JSON.stringify(event))).status).toBe(202);
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what the API answered
const listed = async (form: string): Promise<any[]> =>
  (await stack.api('GET', `/v1/forms/${form}/deliveries`)).body.items;

describe('the headers that an owner gave an endpoint', () => {
  it('come with events and test sends, never with the check of the URL, and are shown masked', async () => {
    const form = 'f_headers';
    await stack.registerForm(form);
    const url = receiver.url('/gateway', (response, { headers }) => response.writeHead(200).end(headers.authorization));
    const headers = { Authorization: CANARY, 'X-Latin': 'é' };
    const { id } = await stack.createEndpoint(form, url, { headers });
    await post(form);
    await vi.waitFor(() => expect(receiver.received('/gateway')).toHaveLength(1), WAIT);
    expect((await stack.api('POST', `/v1/forms/${form}/endpoints/${id}/test`)).status).toBe(202);
    await vi.waitFor(() => expect(receiver.received('/gateway')).toHaveLength(2), WAIT);
    for (const request of receiver.received('/gateway')) {
      expect(request.headers).toMatchObject({
        authorization: CANARY,
        'x-latin': 'é',
        'content-type': 'application/json',
      });
    }
    expect(receiver.checks('/gateway').map((check) => check.headers.authorization)).toEqual([undefined]);

    await vi.waitFor(
      async () => expect((await listed(form)).map(({ state }) => state)).toEqual(['delivered', 'delivered']),
      WAIT,
    );
    for (const { delivery_id } of await listed(form)) {
      const { body } = await stack.api('GET', `/v1/forms/${form}/deliveries/${delivery_id}`);
      const [{ request, response }] = body.attempts;
      expect(request.headers).toMatchObject({ authorization: '***', 'x-latin': '***' });
      expect(request.curl).toContain(`--header 'authorization: ***'`);
      expect(response.excerpt).toBe('***');
      expect(JSON.stringify(body)).not.toContain('canary-4711');
    }
    for (const { output } of stack.processes) expect(output).not.toContain('canary-4711');
  });

  it('keep a delivery waiting that has one whose value does not open, with its reason, until it is set again', async () => {
    const form = 'f_tampered_header';
    await stack.registerForm(form);
    const { id } = await stack.createEndpoint(form, receiver.url('/tampered'), { headers: { Authorization: CANARY } });
    const database = new pg.Client(stack.service('config').env['DATABASE_URL']);
    await database.connect();
    onTestFinished(() => database.end());
    await database.query(
      'UPDATE endpoint_headers SET sealed = overlay(sealed placing $2 from length(sealed) - 5 for 2) WHERE endpoint_id = $1',
      [id, 'AA'],
    );
    await post(form);
    const waiting = { state: 'pending', attempt_count: 0, waits_for: 'secret_unreadable' };
    await vi.waitFor(async () => expect(await listed(form)).toMatchObject([waiting]), WAIT);
    expect(receiver.received('/tampered')).toEqual([]);
    const path = `/v1/forms/${form}/endpoints/${id}`;
    expect((await stack.api('PATCH', path, { headers: { Authorization: `${CANARY}-2` } })).status).toBe(200);
    await vi.waitFor(() => expect(receiver.received('/tampered')).toHaveLength(1), WAIT);
    expect(receiver.received('/tampered')[0]!.headers.authorization).toBe(`${CANARY}-2`);
  });
});
