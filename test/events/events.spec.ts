import { deliveryHeaders, type DeliveryMessage } from '@form-webhooks/messages';
import { EXCHANGES, TO_DELIVERIES } from '@form-webhooks/broker';
import { deriveDeliveryId, FIRST_POSITION } from '@form-webhooks/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { Probe, startBroker } from '../support/broker.js';
import { deliveryIdOf } from '../support/form-traffic.js';
import { sumOfSamples } from '../support/metrics/samples.js';
import { answer, Receiver } from '../support/receiver.js';
import { Stack, type ServiceProcess } from '../support/stack.js';
import { Collector } from '../support/tracing/collector.js';
import { StackLog } from '../support/stack-log.js';

/*
 * What was answered with 202 is an event of its own unless it says the very same once more, can be found whatever became
 * of it, and is never begun again after its end.
 */

const WAIT = { timeout: 60_000, interval: 50 };
vi.setConfig({ testTimeout: 180_000 });

let stack: Stack;
let receiver: Receiver;
let collector: Collector;
let form: string;
let forms = 0;

beforeAll(async () => {
  receiver = await Receiver.start();
  collector = await Collector.start();
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20secret' };
  // Of what nobody has asked to be traced nothing is.
  const env = { RETRY_SCHEDULE: '1s', ...tracing, OTEL_TRACES_SAMPLER_ARG: '0' };
  stack = await Stack.start({ dispatchers: 2, env });
  await beginEarlier();
  await restartDispatchers();
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
  await collector?.stop();
});
beforeEach(() => {
  form = `f_events_${++forms}`;
});

/** What was posted before all dispatchers were started anew, so that none remembers it. */
const earlier = { reused: [] as string[], reusedKeys: 0, once: '', failed: '', failing: '' };

async function beginEarlier(): Promise<void> {
  const log = await StackLog.connect(stack);
  try {
    for (const name of ['f_reused', 'f_once', 'f_failed']) await stack.registerForm(name);
    for (const name of ['f_reused', 'f_once']) await stack.createEndpoint(name, receiver.url(`/${name}`));
    earlier.failing = (await stack.createEndpoint('f_failed', receiver.url('/f_failed', answer(503)))).id;
    earlier.reusedKeys = await reusedKeys();
    form = 'f_reused';
    earlier.reused = [await post('s_1', 'draft'), await post('s_2', 'draft')];
    form = 'f_once';
    earlier.once = await post('s_1', 'once');
    form = 'f_failed';
    earlier.failed = await post('s_1', 'k');
    await vi.waitFor(async () => {
      expect(posts('/f_reused')).toHaveLength(2);
      expect(await log.idsWhere('f_once', `state = 'delivered'`)).toHaveLength(1);
      expect(await log.idsWhere('f_failed', `state = 'failed'`)).toHaveLength(1);
    }, WAIT);
  } finally {
    await log.close();
  }
}

const dispatchers = (): ServiceProcess[] => stack.processes.filter(({ name }) => name === 'dispatcher');

const repeats = (): Promise<number> => sumOfSamples(dispatchers(), 'webhook_repeats_total');
const reusedKeys = (): Promise<number> => sumOfSamples([stack.service('config')], 'config_events_reused_key_total');

/** @returns the event's id */
async function post(submission: string, key?: string, event = 'draft.resumed'): Promise<string> {
  const body = { event, form_id: form, submission_id: submission, fields: { of: submission } };
  const text = JSON.stringify({ ...body, ...(key !== undefined && { idempotency_key: key }) });
  const { status, body: accepted } = await stack.post(text);
  expect(status).toBe(202);
  return (accepted as { event_id: string }).event_id;
}

interface Sent {
  readonly submission_id: string;
}

interface ListedEvent {
  readonly event_id: string;
  readonly submission_id: string;
  readonly outcome: string;
  readonly idempotency_key: string | null;
  readonly key_reused: boolean;
}

async function events(query = ''): Promise<ListedEvent[]> {
  const { body } = await stack.api('GET', `/v1/forms/${form}/events?limit=100${query}`);
  return (body as { items: ListedEvent[] }).items;
}

const until = (query: string, count: number): Promise<ListedEvent[]> =>
  vi.waitFor(async () => {
    const found = await events(query);
    expect(found).toHaveLength(count);
    return found;
  }, WAIT);

const posts = (path = `/${form}`): string[] => receiver.received(path).map(deliveryIdOf);
const arrived = (count: number): Promise<void> => vi.waitFor(() => expect(posts()).toHaveLength(count), WAIT);

async function restartDispatchers(): Promise<void> {
  await Promise.all(dispatchers().map((dispatcher) => dispatcher.stop()));
  await Promise.all(dispatchers().map((dispatcher) => dispatcher.start()));
}

describe('a key that came with several contents', () => {
  it('stands for several events: each is delivered and logged with its own bytes, marked and counted', async () => {
    form = 'f_reused';
    const ids = [...earlier.reused, await post('s_3', 'draft'), await post('s_4', 'alone')];
    await arrived(4);
    expect(new Set(ids).size).toBe(4);
    const bodies = receiver.received(`/${form}`).map(({ body }) => JSON.parse(body.toString()) as Sent);
    const bySubmission = bodies.toSorted((a, b) => a.submission_id.localeCompare(b.submission_id));
    expect(bySubmission).toMatchObject(
      ['s_1', 's_2', 's_3', 's_4'].map((of) => ({ submission_id: of, fields: { of } })),
    );

    const listed = await until('&outcome=fanned_out', 4);
    const marks = listed.map(({ event_id, idempotency_key, key_reused }) => [event_id, idempotency_key, key_reused]);
    expect(marks.sort()).toEqual(
      [...ids.slice(0, 3).map((id) => [id, 'draft', true]), [ids[3], 'alone', false]].sort(),
    );
    await vi.waitFor(async () => expect(await reusedKeys()).toBe(earlier.reusedKeys + 2), WAIT);
    expect(await events('&idempotency_key=alone')).toHaveLength(1);
  });
});

describe('an event that comes again', () => {
  it('is not sent again, whichever dispatcher takes it and whatever it remembers', async () => {
    form = 'f_once';
    const before = await repeats();
    for (let n = 0; n < 4; n++) expect(await post('s_1', 'once')).toBe(earlier.once);
    await vi.waitFor(async () => expect(await repeats()).toBe(before + 4), WAIT);
    expect(posts()).toHaveLength(1);
  });

  it('is sent to an endpoint that was made meanwhile, and to no other', async () => {
    await stack.registerForm(form);
    await stack.createEndpoint(form, receiver.url(`/${form}`));
    await post('s_1', 'k');
    const log = await StackLog.open(stack);
    await vi.waitFor(async () => expect(await log.idsWhere(form, `state = 'delivered'`)).toHaveLength(1), WAIT);
    await stack.createEndpoint(form, receiver.url(`/${form}-late`));
    const before = await repeats();
    await post('s_1', 'k');
    await vi.waitFor(() => expect(posts(`/${form}-late`)).toHaveLength(1), WAIT);
    await vi.waitFor(async () => expect(await repeats()).toBe(before + 1), WAIT);
    expect(posts()).toHaveLength(1);
  });
});

describe('a message that comes back after its delivery has ended', () => {
  it('starts no second run, at whatever try it stood', async () => {
    form = 'f_failed';
    const [eventId, endpointId] = [earlier.failed, earlier.failing];
    expect(posts()).toHaveLength(2);
    const before = await repeats();
    const broker = await startBroker(brokerUrl());
    const late = {
      ...{ event: 'draft.resumed', eventId, formId: form, submissionId: 's_1', endpointId, trigger: 'event' },
      ...{ acceptedAt: Date.now(), generationStartedAt: Date.now(), dueAt: Date.now() },
      deliveryId: deriveDeliveryId(eventId, endpointId),
      position: { ...FIRST_POSITION, try: 1 },
      tail: Buffer.from(`"form_id":"${form}","submission_id":"s_1","fields":{},"meta":{}}`),
    } as DeliveryMessage;
    await broker.publisher.publish(TO_DELIVERIES, { headers: deliveryHeaders(late), body: late.tail });
    await vi.waitFor(async () => expect(await repeats()).toBe(before + 1), WAIT);
    expect(posts()).toHaveLength(2);
  });
});

describe('an event that nobody listens to', () => {
  it('is listed as such, and sent to the endpoints of now when somebody asks', async () => {
    await stack.registerForm(form);
    const { id: off } = await stack.createEndpoint(form, receiver.url(`/${form}`), { events: ['draft.resumed'] });
    await stack.api('PATCH', `/v1/forms/${form}/endpoints/${off}`, { enabled: false });
    const ids = [await post('s_1'), await post('s_2')];
    await until('&outcome=no_endpoints', 2);
    expect((await events('&submission_id=s_2')).map(({ event_id }) => event_id)).toEqual([ids[1]]);

    await stack.api('PATCH', `/v1/forms/${form}/endpoints/${off}`, { enabled: true });
    const send = (event_ids: unknown) => stack.api('POST', `/v1/forms/${form}/events/send`, { event_ids });
    const { status, body } = await send([...ids, 'evt_nothing']);
    expect(status).toBe(202);
    const made = ids.map((id) => ({ event_id: id, endpoint_id: off, delivery_id: deriveDeliveryId(id, off) }));
    expect((body as { deliveries: { event_id: string }[] }).deliveries).toEqual(
      made.toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1)),
    );
    expect(body).toMatchObject({ skipped: [{ event_id: 'evt_nothing', reason: 'unknown' }] });
    await arrived(2);
    await until('&outcome=fanned_out', 2);
    expect((await send([ids[0]])).body).toEqual({
      deliveries: [],
      skipped: [{ event_id: ids[0], reason: 'sent_before' }],
    });
    expect((await send([])).status).toBe(422);
  });

  it('is erased with its submission, and can not be sent then', async () => {
    await stack.registerForm(form);
    const id = await post('s_1', 'k');
    await until('&outcome=no_endpoints', 1);
    expect((await stack.api('DELETE', `/v1/forms/${form}/submissions/s_1/data`)).status).toBe(204);
    await stack.createEndpoint(form, receiver.url(`/${form}`));
    const { body } = await stack.api('POST', `/v1/forms/${form}/events/send`, { event_ids: [id] });
    expect(body).toEqual({ deliveries: [], skipped: [{ event_id: id, reason: 'payload_erased' }] });
    expect(await events()).toMatchObject([{ event_id: id, idempotency_key: null }]);
  });

  it('gets its delivery if its form and endpoint are made moments later', async () => {
    const waiting = () => sumOfSamples(dispatchers(), 'webhook_events_total', { outcome: 'waiting' });
    const before = await waiting();
    const id = await post('s_1');
    await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(before), WAIT);
    await stack.registerForm(form);
    await until('&outcome=waiting', 1);
    await stack.createEndpoint(form, receiver.url(`/${form}`));
    await arrived(1);
    expect(await until('&outcome=fanned_out', 1)).toMatchObject([{ event_id: id }]);
  });
});

describe('the trace of an event whose caller traces', () => {
  const traced = (traceId: string, sampled: boolean) => ({
    traceparent: `00-${traceId}-00f067aa0ba902b7-${sampled ? '01' : '00'}`,
  });

  it('goes on through acceptance, fan-out and each attempt to the log, and not to the receiver', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await stack.registerForm(form);
    await stack.createEndpoint(form, receiver.url(`/${form}`, answer(200)));
    const text = `{"event":"draft.resumed","form_id":"${form}","submission_id":"s_1","fields":{}}`;
    const unsampled = '5bf92f3577b34da6a3ce929d0e0e4736';
    expect((await stack.post(text.replace('s_1', 's_2'), traced(unsampled, false))).status).toBe(202);
    const { body } = await stack.post(text, traced(traceId, true));
    const eventId = (body as { event_id: string }).event_id;

    await vi.waitFor(() => {
      expect(collector.of(traceId)).toHaveLength(3);
      expect(collector.spans.find(({ links }) => links.includes(traceId))?.name).toBe('write delivery log');
    }, WAIT);
    const named = (name: string) => collector.of(traceId).find((span) => span.name === name)!;
    const [accepted, fannedOut, attempted] = ['accept event', 'fan out event', 'attempt delivery'].map(named);
    expect(accepted).toMatchObject({ service: 'form-webhooks-ingest', parentSpanId: '00f067aa0ba902b7' });
    expect(fannedOut).toMatchObject({ service: 'form-webhooks-dispatcher', parentSpanId: accepted!.spanId });
    expect(attempted).toMatchObject({ parentSpanId: fannedOut!.spanId });
    expect(attempted!.attributes).toMatchObject({ 'webhook.event_id': eventId, 'http.response.status_code': '200' });

    expect(collector.of(unsampled)).toEqual([]);
    expect(collector.headers.every((headers) => headers['x-token'] === 'a secret')).toBe(true);
    await vi.waitFor(() => expect(receiver.received(`/${form}`)).toHaveLength(2), WAIT);
    for (const request of receiver.received(`/${form}`)) {
      expect(JSON.stringify(request.headers) + request.body.toString()).not.toMatch(/bf92f3577b34da6/);
    }
    const linesOf = (output: string) => output.split('\n').filter((line) => line.includes(traceId));
    await vi.waitFor(() => {
      expect(linesOf(stack.service('ingest').output).join()).toContain('"event_name":"event.accepted"');
      const said = dispatchers().flatMap(({ output }) => linesOf(output));
      expect(said.join()).toContain('"event_name":"delivery.attempted"');
    }, WAIT);
  });
});

describe('the search for an event', () => {
  const search = async (id: string, headers: Record<string, string> = {}) =>
    (await stack.api('GET', `/v1/event-search?id=${id}`, undefined, headers)).body;

  it('finds it by its id, its key and a delivery, with what became of each delivery', async () => {
    await stack.registerForm(form);
    const { id: endpointId } = await stack.createEndpoint(form, receiver.url(`/${form}`));
    const eventId = await post('s_1', `${form}:key`);
    const deliveryId = deriveDeliveryId(eventId, endpointId);
    await vi.waitFor(async () => expect((await search(eventId)).summary).toContain('1 delivery: 1 delivered.'), WAIT);
    for (const id of [eventId, deliveryId, `${form}:key`]) {
      expect(await search(id)).toMatchObject({
        events: [{ event_id: eventId, form_id: form, deliveries: [{ delivery_id: deliveryId, state: 'delivered' }] }],
        broker: { parked: [] },
      });
    }
  });

  it('finds all events of one key, the newest first', async () => {
    await stack.registerForm(form);
    const ids = [];
    for (const submission of ['s_1', 's_2', 's_3']) ids.push(await post(submission, `${form}:key`));
    await until('', 3);
    const { events: found } = await search(`${form}:key`);
    expect(found.map(({ event_id }: { event_id: string }) => event_id)).toEqual(ids.toReversed());
  });

  it('shows a service key that names a workspace what is in it, and nothing of the broker', async () => {
    await stack.registerForm(form);
    const eventId = await post('s_1');
    await until('', 1);
    const inWorkspace = async (id: string) =>
      (await stack.api('GET', `/v1/event-search?id=${eventId}&workspace_id=${id}`)).body;
    expect(await inWorkspace(stack.workspaceId)).toMatchObject({ events: [{ event_id: eventId }], broker: null });
    expect(await inWorkspace('ws_other')).toMatchObject({ events: [], broker: null });
  });

  it('finds one of a form without endpoints, and one of a form that nobody registered', async () => {
    const waiting = await post('s_1');
    await vi.waitFor(async () => expect((await search(waiting)).events).toMatchObject([{ outcome: 'waiting' }]), WAIT);
    const other = `${form}_registered`;
    await stack.registerForm(other);
    const body = { event: 'draft.resumed', form_id: other, submission_id: 's_1', fields: {} };
    const { event_id } = (await stack.post(JSON.stringify(body))).body as { event_id: string };
    await vi.waitFor(
      async () => expect((await search(event_id)).summary).toContain('No endpoint was enabled for it'),
      WAIT,
    );
  });

  it('finds what was refused, with who sent it when', async () => {
    const { channel } = await Probe.open(brokerUrl());
    const sent = { messageId: `${form}.refused`, timestamp: 1_790_000_000, appId: 'forms' };
    channel.publish(EXCHANGES.formEvents, 'draft.resumed', Buffer.from('{"form_id":'), sent);
    const found = await vi.waitFor(async () => {
      const answer = await search(sent.messageId);
      expect(answer.broker?.parked).toHaveLength(1);
      return answer;
    }, WAIT);
    expect(found.summary).toContain('It was refused and put aside in ingest.form-events.rejected: bad_json');
    expect(found.broker.parked).toMatchObject([
      { message_id: sent.messageId, sent_at: '2026-09-21T14:13:20.000Z', sent_by: 'forms' },
    ]);
    expect(Date.parse(found.broker.parked[0].parked_at)).toBeGreaterThan(Date.now() - 600_000);
  });

  it('says of what it does not know what that can mean, and shows a workspace nothing of others', async () => {
    await stack.registerForm(form);
    const eventId = await post('s_1', `${form}-key`);
    await until('', 1);
    expect(await search('evt_nothing')).toMatchObject({
      events: [],
      summary: expect.stringMatching(/^Not known here\./),
    });
    const key = { name: 'k', workspace_id: 'ws_other', scopes: ['deliveries:read'] };
    const { body } = await stack.api('POST', '/v1/api-keys', key);
    const foreign = { authorization: `Bearer ${body.key}` };
    const unknown = await search('evt_nothing', foreign);
    expect(unknown).toMatchObject({ events: [], broker: null });
    for (const id of [eventId, `${form}-key`]) expect(await search(id, foreign)).toEqual(unknown);
  });
});
