import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sumOfSamples } from '../support/metrics/samples.js';
import { answer, inTurn, Receiver } from '../support/receiver.js';
import { Stack } from '../support/stack.js';

const WAIT = { timeout: 60_000, interval: 50 };
const CANARY = 'Bearer canary-4711';

let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  stack = await Stack.start({ env: { RETRY_SCHEDULE: '8s,60s' }, keptLines: 5_000 });
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

describe('a delivery that waits for its next attempt', () => {
  /** Messages that the dispatcher dropped since the log knew better. */
  const dropped = (): Promise<number> =>
    sumOfSamples([stack.service('dispatcher')], 'webhook_repeats_total', { stage: 'attempt' });

  /** A form whose endpoint has refused its first event; the second attempt waits for 8 s. */
  async function waiting(form: string, path: string): Promise<string> {
    await stack.registerForm(form);
    await stack.createEndpoint(form, receiver.url(path, inTurn(answer(503), answer(200))));
    await post(form);
    await vi.waitFor(async () => expect(await listed(form)).toMatchObject([{ state: 'retrying' }]), WAIT);
    return `/v1/forms/${form}/deliveries/${(await listed(form))[0].delivery_id}`;
  }

  it('is attempted once at once when its owner asks, and not when the old message falls due', async () => {
    const form = 'f_retried';
    const before = await dropped();
    const path = await waiting(form, '/retried');
    expect((await stack.api('POST', `${path}/retry`)).status).toBe(202);
    await vi.waitFor(
      async () => expect(await listed(form)).toMatchObject([{ state: 'delivered', generation: 1 }]),
      WAIT,
    );
    expect(receiver.received('/retried')).toHaveLength(2);
    await vi.waitFor(async () => expect(await dropped()).toBe(before + 1), WAIT);
    expect(receiver.received('/retried')).toHaveLength(2);
    expect(await listed(form)).toMatchObject([{ state: 'delivered', generation: 1, attempt_count: 2 }]);
  });

  it('is attempted by its new message alone, also while that one waits in turn', async () => {
    const form = 'f_retried_in_vain';
    const before = await dropped();
    await stack.registerForm(form);
    await stack.createEndpoint(form, receiver.url('/in-vain', answer(503)));
    await post(form);
    await vi.waitFor(async () => expect(await listed(form)).toMatchObject([{ state: 'retrying' }]), WAIT);
    const [{ delivery_id }] = await listed(form);
    await stack.api('POST', `/v1/forms/${form}/deliveries/${delivery_id}/retry`);
    await vi.waitFor(
      async () => expect(await listed(form)).toMatchObject([{ state: 'retrying', generation: 1 }]),
      WAIT,
    );
    await vi.waitFor(async () => expect(await dropped()).toBe(before + 1), WAIT);
    await vi.waitFor(() => expect(receiver.received('/in-vain')).toHaveLength(3), WAIT);
  });

  it('is not attempted any more once its owner has called it off', async () => {
    const form = 'f_called_off';
    const before = await dropped();
    const path = await waiting(form, '/called-off');
    const { status, body } = await stack.api('POST', `${path}/cancel`);
    expect([status, body.state, body.reason]).toEqual([200, 'cancelled', 'cancelled_by_owner']);
    await vi.waitFor(async () => expect(await dropped()).toBe(before + 1), WAIT);
    expect(receiver.received('/called-off')).toHaveLength(1);
    expect(await listed(form)).toMatchObject([{ state: 'cancelled', reason: 'cancelled_by_owner', attempt_count: 1 }]);
    for (const action of ['retry', 'cancel']) {
      const refused = await stack.api('POST', `${path}/${action}`);
      expect([refused.status, refused.body.code]).toEqual([409, 'final']);
    }
  });
});

describe('what an answer means to an endpoint whose owner wants it otherwise', () => {
  it('a 404 is tried again until the receiver is back', async () => {
    const form = 'f_restarted';
    await stack.registerForm(form);
    const url = receiver.url('/restarted', inTurn(answer(404), answer(200)));
    await stack.createEndpoint(form, url, { retry_statuses: [404] });
    await post(form);
    await vi.waitFor(
      async () => expect(await listed(form)).toMatchObject([{ state: 'delivered', attempt_count: 2 }]),
      WAIT,
    );
  });

  it('is attempted by its own schedule, and no more often', async () => {
    const form = 'f_own_schedule';
    await stack.registerForm(form);
    await stack.createEndpoint(form, receiver.url('/own-schedule', answer(503)), { retry_schedule: ['1s', '2s'] });
    await post(form);
    const failed = { state: 'failed', reason: 'exhausted', attempt_count: 3 };
    await vi.waitFor(async () => expect(await listed(form)).toMatchObject([failed]), WAIT);
    const [first, second, third] = receiver.received('/own-schedule').map(({ at }) => at) as [number, number, number];
    expect(second - first).toBeGreaterThanOrEqual(950);
    expect(third - second).toBeGreaterThanOrEqual(1_950);
    // By the installation's the third would come 60 s after the second.
    expect(third - second).toBeLessThan(50_000);
  });

  it('a host that redirects every HEAD and POST can be registered, and has received what it redirects', async () => {
    const form = 'f_scripts';
    await stack.registerForm(form);
    const redirect = { location: receiver.url('/elsewhere') };
    const url = receiver.url('/script', answer(302, redirect));
    receiver.answerChecks('/script', 302);
    const refused = await stack.api('POST', `/v1/forms/${form}/endpoints`, { url });
    expect([refused.status, refused.body.code]).toEqual([422, 'redirect']);
    await stack.createEndpoint(form, url, { redirect_is_success: true });
    await post(form);
    const delivered = { state: 'delivered', attempt_count: 1, last_response_status: 302 };
    await vi.waitFor(async () => expect(await listed(form)).toMatchObject([delivered]), WAIT);
    expect(receiver.received('/script')).toHaveLength(1);
    expect(receiver.received('/elsewhere')).toEqual([]);
  });
});
