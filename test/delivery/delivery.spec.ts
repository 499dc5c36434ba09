import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { verifySignature } from '@form-webhooks/receiver';
import { answer, inTurn, Receiver, type Behaviour, type ReceivedRequest } from '../support/receiver.js';
import { Stack } from '../support/stack.js';

const WAIT = { timeout: 40_000, interval: 20 };
const SCHEDULE = [100, 300];
/** Puts a retry off for long enough that the endpoint can be changed before it, also on a busy machine. */
const answerLater = answer(503, { 'retry-after': '10' });

let stack: Stack;
let receiver: Receiver;
let forms = 0;

beforeAll(async () => {
  receiver = await Receiver.start();
  stack = await Stack.start({ env: { RETRY_SCHEDULE: SCHEDULE.map((ms) => `${ms}ms`).join(',') } });
});

afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
});

async function newForm(): Promise<string> {
  const id = `f_form${++forms}`;
  await stack.registerForm(id);
  return id;
}

const eventOf = (formId: string, members: string = '"fields":{"name":"Ada"}', event = 'submission.created'): string =>
  `{"event":"${event}","form_id":"${formId}","submission_id":"s_1",${members}}`;

const arrived = (path: string, count: number): Promise<readonly ReceivedRequest[]> =>
  vi.waitFor(() => {
    const requests = receiver.received(path);
    expect(requests.length).toBeGreaterThanOrEqual(count);
    return requests;
  }, WAIT);

/** The form's deliveries once as many of them as expected are in the state. */
const deliveriesIn = (formId: string, state: string, count = 1) =>
  vi.waitFor(async () => {
    const { status, body } = await stack.api('GET', `/v1/forms/${formId}/deliveries?state=${state}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.items).toHaveLength(count);
    return body.items;
  }, WAIT);

const detailOf = async (formId: string, deliveryId: string) => {
  const { status, body } = await stack.api('GET', `/v1/forms/${formId}/deliveries/${deliveryId}`);
  expect(status).toBe(200);
  return body;
};

const parse = (request: ReceivedRequest) => JSON.parse(request.body.toString('utf8'));

function expectBothSignatures(request: ReceivedRequest, secret: string): void {
  const plain = String(request.headers['x-service-signature']);
  expect(verifySignature(request.body, plain, secret)).toBe(true);
  const headers = request.headers as Record<string, string>;
  expect(() => new Webhook(secret).verify(request.body.toString('utf8'), headers)).not.toThrow();
}

describe('an event', () => {
  it('reaches every enabled endpoint, each signed with its own secret', async () => {
    const form = await newForm();
    const a = await stack.createEndpoint(form, receiver.url('/every-a'));
    const b = await stack.createEndpoint(form, receiver.url('/every-b'));
    await stack.createEndpoint(form, receiver.url('/every-off'), { enabled: false });
    const { status, body } = await stack.post(eventOf(form));
    expect(status).toBe(202);
    const [toA] = await arrived('/every-a', 1);
    const [toB] = await arrived('/every-b', 1);
    expectBothSignatures(toA!, a.secret);
    expectBothSignatures(toB!, b.secret);
    expect(verifySignature(toA!.body, String(toA!.headers['x-service-signature']), b.secret)).toBe(false);
    expect(parse(toA!)).toMatchObject({ event: 'submission.created', form_id: form, submission_id: 's_1', meta: {} });
    expect(toA!.headers['content-type']).toBe('application/json');
    expect(toA!.headers['webhook-id']).toBe(parse(toA!).delivery_id);
    const items = await deliveriesIn(form, 'delivered', 2);
    expect(new Set(items.map(({ event_id }: { event_id: string }) => event_id))).toEqual(new Set([body.event_id]));
    expect(receiver.received('/every-off')).toHaveLength(0);
  });

  it('is attempted right after its 202, without a wait on the way', async () => {
    const form = await newForm();
    await stack.createEndpoint(form, receiver.url('/soon'));
    await stack.post(eventOf(form));
    await arrived('/soon', 1);
    // What is put off, or asks for its form and gets no answer, comes later than that each time; a machine that stood
    // still does so once.
    await vi.waitFor(async () => {
      const before = receiver.received('/soon').length;
      await stack.post(eventOf(form, '"fields":{}', 'draft.resumed'));
      const acceptedAt = Date.now();
      const requests = await arrived('/soon', before + 1);
      expect(requests[before]!.at - acceptedAt).toBeLessThan(5_000);
    }, WAIT);
  });

  it('goes only to endpoints that want its kind', async () => {
    const form = await newForm();
    await stack.createEndpoint(form, receiver.url('/paid'), { events: ['payment.succeeded'] });
    await stack.createEndpoint(form, receiver.url('/all'));
    await stack.post(eventOf(form));
    const payment = '"fields":{},"payment":{"status":"succeeded","amount":4200,"currency":"eur"}';
    await stack.post(eventOf(form, payment, 'payment.succeeded'));
    await arrived('/all', 2);
    const [paid] = await arrived('/paid', 1);
    expect(parse(paid!).payment).toEqual({ status: 'succeeded', amount: 4200, currency: 'eur' });
    await deliveriesIn(form, 'delivered', 3);
    expect(receiver.received('/paid')).toHaveLength(1);
  });

  it('that is posted twice with one key is the same delivery, and keys of two forms do not collide', async () => {
    const [one, other] = [await newForm(), await newForm()];
    await stack.createEndpoint(one, receiver.url('/key-one'));
    await stack.createEndpoint(other, receiver.url('/key-other'));
    const key = { 'idempotency-key': 'order-1' };
    const answers = [
      await stack.post(eventOf(one), key),
      await stack.post(eventOf(one), key),
      await stack.post(eventOf(other), key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(answers[1]!.body.event_id).toBe(answers[0]!.body.event_id);
    expect(answers[2]!.body.event_id).not.toBe(answers[0]!.body.event_id);
    await arrived('/key-one', 1);
    await arrived('/key-other', 1);
    await deliveriesIn(one, 'delivered');
    await deliveriesIn(other, 'delivered');
    const ids = new Set(receiver.received('/key-one').map((request) => parse(request).delivery_id));
    expect(ids.size).toBe(1);
  });
});

describe('values are byte-exact', () => {
  const values: [string, string][] = [
    ['a big integer', '{"v":12345678901234567890}'],
    ['1.0', '{"v":1.0}'],
    ['1e2', '{"v":1e2}'],
    ['-0', '{"v":-0}'],
    ['1e400', '{"v":1e400}'],
    ['duplicate keys', '{"v":1,"v":2}'],
    ['integer-like keys', '{"10":1,"2":2}'],
    ['__proto__', '{"__proto__":{"a":1},"constructor":2}'],
    ['an escaped NUL', '{"v":"\\u0000"}'],
    ['a lone surrogate', '{"v":"\\ud800"}'],
    ['emoji and scripts', '{"имя":"Zoë 👩‍🚀 مرحبا 日本語 \\ud83d\\ude00"}'],
    ['white space', '{ "a" :\t[ 1 , 2 ]\n}'],
    ['900 KiB of text', `{"v":"${'ü'.repeat(450 * 1024)}"}`],
  ];

  it.each(values)('%s', async (_name, json) => {
    const form = await newForm();
    const path = `/bytes-${form}`;
    await stack.createEndpoint(form, receiver.url(path));
    const payment = `{"status":"succeeded","amount":1,"currency":"eur","extra":${json.length < 2_000 ? json : '{}'}}`;
    const meta = `{"ip":"::1","extra":${json.length < 2_000 ? json : '{}'}}`;
    const { status, body } = await stack.post(
      eventOf(form, `"fields":${json},"payment":${payment},"meta":${meta}`, 'payment.succeeded'),
    );
    expect(status, JSON.stringify(body)).toBe(202);
    const [request] = await arrived(path, 1);
    const text = request!.body.toString('utf8');
    const tail = `"form_id":"${form}","submission_id":"s_1","fields":${json},"payment":${payment},"meta":${meta}}`;
    expect(text.endsWith(tail)).toBe(true);
    const head = text.slice(0, -tail.length);
    expect(head).toMatch(/^\{"event":"payment\.succeeded","delivery_id":"dlv_[A-Za-z0-9_-]{22}","timestamp":\d{10},$/);
    const [delivery] = await deliveriesIn(form, 'delivered');
    const detail = await detailOf(form, delivery.delivery_id);
    // A long body is not in the delivery, but with its attempt.
    const attemptPath = `/v1/forms/${form}/deliveries/${delivery.delivery_id}/attempts/${detail.attempts[0].id}`;
    expect((await stack.api('GET', attemptPath)).body.request.body).toBe(text);
  });
});

describe('a failing endpoint', () => {
  it('is tried again: same delivery, new timestamp, valid signatures, never early', async () => {
    const form = await newForm();
    const { secret } = await stack.createEndpoint(form, receiver.url('/flaky', inTurn(answer(503), answer(200))));
    await stack.createEndpoint(form, receiver.url('/steady'));
    const postedAt = Date.now();
    await stack.post(eventOf(form));
    const [first, second] = await arrived('/flaky', 2);
    expect(parse(second!).delivery_id).toBe(parse(first!).delivery_id);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    for (const [request, notBefore] of [
      [first!, postedAt],
      [second!, first!.at],
    ] as const) {
      expectBothSignatures(request, secret);
      expect(parse(request).timestamp).toBeGreaterThanOrEqual(Math.floor(notBefore / 1_000));
      expect(parse(request).timestamp).toBeLessThanOrEqual(request.at / 1_000);
      expect(request.headers['webhook-timestamp']).toBe(String(parse(request).timestamp));
    }
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(SCHEDULE[0]!);
    await deliveriesIn(form, 'delivered', 2);
    const detail = await detailOf(form, parse(first!).delivery_id);
    expect(detail).toMatchObject({ state: 'delivered', attempt_count: 2, last_response_status: 200, reason: null });
    expect(detail.attempts.map(({ response }: { response: { status: number } }) => response.status)).toEqual([
      503, 200,
    ]);
    expect(detail.attempts.map(({ number }: { number: number }) => number)).toEqual([1, 2]);
    expect(receiver.received('/steady')).toHaveLength(1);
  });

  it('is left alone for as long as its Retry-After asks, and the log shows until when (R8)', async () => {
    const form = await newForm();
    await stack.createEndpoint(form, receiver.url('/wait', inTurn(answer(503, { 'retry-after': '4.5' }), answer(200))));
    await stack.post(eventOf(form));
    const [first] = await arrived('/wait', 1);
    const [waiting] = await deliveriesIn(form, 'retrying');
    const dueAt = Date.parse(waiting.next_attempt_at);
    expect(dueAt - first!.at).toBeGreaterThanOrEqual(5_000);
    // By the dispatcher's account of when it had the answer.
    const [attempt] = (await detailOf(form, waiting.delivery_id)).attempts;
    expect(dueAt - (Date.parse(attempt.started_at) + attempt.duration_ms)).toBeLessThan(10_000);
    const [, second] = await arrived('/wait', 2);
    expect(second!.at).toBeGreaterThanOrEqual(dueAt - 50);
    expect(second!.at - dueAt).toBeLessThan(20_000);
  });

  it.each([
    ['17 KB of headers', `x-long: ${'a'.repeat(17 * 1_024)}\r\n`],
    ['70 KB of headers', `x-long: ${'a'.repeat(70 * 1_024)}\r\n`],
    ['two kinds of length', 'content-length: 2\r\ntransfer-encoding: chunked\r\n'],
    ['a blank before a colon', 'x-a : b\r\n'],
    ['a control character', 'x-a: \u0001\r\n'],
    ['a bare LF', 'x-a: b\n'],
  ])('that answers 200 with %s has the delivery, after one POST (R1)', async (what, headers) => {
    const form = await newForm();
    const path = `/broken-${what.replaceAll(' ', '-')}`;
    const behaviour: Behaviour = ({ socket }) => void socket?.end(`HTTP/1.1 200 OK\r\n${headers}\r\n`);
    await stack.createEndpoint(form, receiver.url(path, behaviour));
    await stack.post(eventOf(form));
    const [delivery] = await deliveriesIn(form, 'delivered');
    expect(delivery).toMatchObject({ attempt_count: 1, last_response_status: 200 });
    expect(receiver.received(path)).toHaveLength(1);
  });

  it('is shown with the URL that was asked for, byte for byte (U9)', async () => {
    const form = await newForm();
    const url = receiver.url('/a%2f;b?', answer(404));
    await stack.createEndpoint(form, url);
    await stack.post(eventOf(form));
    const [delivery] = await deliveriesIn(form, 'failed');
    expect(receiver.received('/a%2f;b?')).toHaveLength(1);
    const { attempts } = await detailOf(form, delivery.delivery_id);
    expect(attempts[0].request.url).toBe(url);
  });

  it('is given up once the schedule is exhausted', async () => {
    const form = await newForm();
    await stack.createEndpoint(form, receiver.url('/down', answer(500)));
    await stack.post(eventOf(form));
    const [delivery] = await deliveriesIn(form, 'failed');
    expect(delivery).toMatchObject({ reason: 'exhausted', attempt_count: 3, next_attempt_at: null });
    expect(receiver.received('/down')).toHaveLength(3);
    const [a, b, c] = receiver.received('/down');
    expect(b!.at - a!.at).toBeGreaterThanOrEqual(SCHEDULE[0]!);
    expect(c!.at - b!.at).toBeGreaterThanOrEqual(SCHEDULE[1]!);
  });

  it.each([
    ['404', answer(404), 'rejected'],
    ['302', answer(302, { location: 'https://127.0.0.1:1/' }), 'redirect'],
  ])('that answers %s is not tried again', async (status, behaviour, reason) => {
    const form = await newForm();
    await stack.createEndpoint(form, receiver.url(`/final-${status}`, behaviour));
    await stack.post(eventOf(form));
    const [delivery] = await deliveriesIn(form, 'failed');
    expect(delivery).toMatchObject({ reason, attempt_count: 1, last_response_status: Number(status) });
    expect(receiver.received(`/final-${status}`)).toHaveLength(1);
  });

  it('that answers 410 is switched off, and the audit log names the system', async () => {
    const form = await newForm();
    const { id } = await stack.createEndpoint(form, receiver.url('/gone', answer(410)));
    await stack.post(eventOf(form));
    const [delivery] = await deliveriesIn(form, 'failed');
    expect(delivery).toMatchObject({ reason: 'gone', last_response_status: 410 });
    const { body: endpoint } = await stack.api('GET', `/v1/forms/${form}/endpoints/${id}`);
    expect(endpoint).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    const { body: audit } = await stack.api('GET', `/v1/audit-log?workspace_id=ws_test&form_id=${form}`);
    expect(audit.items.map(({ actor }: { actor: unknown }) => JSON.stringify(actor)).join()).toContain('system');
  });
});

// They wait for the same ten seconds.
describe.concurrent('a change of an endpoint', () => {
  it('regenerated secret signs the next attempt, retries included', async () => {
    const form = await newForm();
    const { id, secret } = await stack.createEndpoint(form, receiver.url('/rotate', inTurn(answerLater, answer(200))));
    await stack.post(eventOf(form));
    const [first] = await arrived('/rotate', 1);
    const { status, body } = await stack.api('POST', `/v1/forms/${form}/endpoints/${id}/secret/regenerate`, {});
    expect(status, JSON.stringify(body)).toBe(200);
    const [, retry] = await arrived('/rotate', 2);
    expectBothSignatures(first!, secret);
    expectBothSignatures(retry!, body.secret);
    expect(parse(retry!).delivery_id).toBe(parse(first!).delivery_id);
  });

  it.each([
    ['disabled', (path: string) => stack.api('PATCH', path, { enabled: false }), 'endpoint_disabled'],
    ['deleted', (path: string) => stack.api('DELETE', path), 'endpoint_deleted'],
  ])('%s: it gets nothing more, and what waited for it ends cancelled', async (name, change, reason) => {
    const form = await newForm();
    const path = `/stopped-${name}`;
    const { id } = await stack.createEndpoint(form, receiver.url(path, answerLater));
    await stack.post(eventOf(form));
    await deliveriesIn(form, 'retrying');
    expect((await change(`/v1/forms/${form}/endpoints/${id}`)).status).toBeLessThan(300);
    const [delivery] = await deliveriesIn(form, 'cancelled');
    expect(delivery).toMatchObject({ reason, attempt_count: 1 });
    const { event_id } = (await stack.post(eventOf(form))).body;
    await vi.waitFor(async () => {
      const { body } = await stack.api('GET', `/v1/forms/${form}/events?outcome=no_endpoints`);
      expect(body.items).toMatchObject([{ event_id }]);
    }, WAIT);
    expect(receiver.received(path)).toHaveLength(1);
  });

  it('a new URL gets what waited for the old one', async () => {
    const form = await newForm();
    const { id } = await stack.createEndpoint(form, receiver.url('/old', answerLater));
    await stack.post(eventOf(form));
    await deliveriesIn(form, 'retrying');
    const { status } = await stack.api('PATCH', `/v1/forms/${form}/endpoints/${id}`, { url: receiver.url('/new') });
    expect(status).toBe(200);
    await arrived('/new', 1);
    expect(receiver.received('/old')).toHaveLength(1);
  });

  it('a test send reaches a disabled endpoint, marked as a test, once', async () => {
    const form = await newForm();
    const { id } = await stack.createEndpoint(form, receiver.url('/try', answer(500)), { enabled: false });
    const { status, body } = await stack.api('POST', `/v1/forms/${form}/endpoints/${id}/test`, {});
    expect(status, JSON.stringify(body)).toBe(202);
    expect((await detailOf(form, body.delivery_id)).trigger).toBe('test');
    const [request] = await arrived('/try', 1);
    expect(request!.headers['x-service-test']).toBe('1');
    expect(parse(request!).delivery_id).toBe(body.delivery_id);
    const [delivery] = await deliveriesIn(form, 'failed');
    expect(delivery).toMatchObject({ trigger: 'test', reason: 'exhausted', attempt_count: 1 });
  });
});

describe('addresses that are not allowed', () => {
  it.each([
    ['http://localhost:8080/', 'not_https'],
    ['https://10.0.0.1/', 'address_not_allowed'],
    ['https://169.254.169.254/latest/meta-data/', 'address_not_allowed'],
    ['https://metadata.google.internal/', 'address_not_allowed'],
  ])('are refused when %s is entered', async (url, code) => {
    const form = await newForm();
    const { status, body } = await stack.api('POST', `/v1/forms/${form}/endpoints`, { url });
    expect(status).toBe(422);
    expect(body.errors).toEqual([expect.objectContaining({ field: 'url', code })]);
  });

  it('are refused again when a delivery is dispatched, and the owner sees no address', async () => {
    const form = await newForm();
    await stack.createEndpoint(form, receiver.url('/was-allowed'));
    // The allowance is taken away after the endpoint was checked.
    const lax = stack.service('dispatcher');
    await lax.stop();
    onTestFinished(() => lax.start());
    const strict = await stack.add('dispatcher', { ...lax.env, EGRESS_ALLOW: '' });
    onTestFinished(async () => void (await strict.stop()));
    await stack.post(eventOf(form));
    const [delivery] = await deliveriesIn(form, 'failed');
    expect(delivery).toMatchObject({ reason: 'exhausted', attempt_count: 3, last_error: 'address_not_allowed' });
    const detail = await detailOf(form, delivery.delivery_id);
    expect(detail.attempts[0]).toMatchObject({ response: null, remote_address: null, timings: null });
    expect(detail.attempts[0].error.message).not.toMatch(/127\.0\.0\.1|::1/);
    expect(receiver.received('/was-allowed')).toHaveLength(0);
    const { status, body } = await stack.api('POST', `/v1/forms/${form}/endpoints`, { url: receiver.url('/strict') });
    expect([status, body.errors[0].code]).toEqual([422, 'address_not_allowed']);
  });
});

describe('a bad event', () => {
  it.each([
    ['of an unknown kind', '{"event":"form.exploded","form_id":"f_1","submission_id":"s_1","fields":{}}', 422],
    ['without a form', '{"event":"submission.created","submission_id":"s_1","fields":{}}', 422],
    [
      'with an unknown member',
      '{"event":"submission.created","form_id":"f_1","submission_id":"s_1","fields":{},"x":1}',
      422,
    ],
    [
      'of 2 MiB',
      `{"event":"submission.created","form_id":"f_1","submission_id":"s_1","fields":{"v":"${'x'.repeat(2 ** 21)}"}}`,
      413,
    ],
    ['that is not JSON', '{not json', 400],
    ['in bad UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
    ['100,000 deep', `{"fields":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
  ])('%s is refused with a clear problem', async (_name, text, status) => {
    const response = await stack.post(text);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(response.body).toMatchObject({ status, title: expect.any(String), request_id: expect.any(String) });
    expect(stack.service('ingest').pid).toBeDefined();
  });
});

describe('a stop', () => {
  it('by SIGTERM ends every service in order with exit code 0', async () => {
    const codes = await Promise.all(stack.processes.map((process) => process.stop('SIGTERM')));
    expect(codes).toEqual(stack.processes.map(() => 0));
  });
});
