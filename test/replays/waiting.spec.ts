import { QUEUES } from '@form-webhooks/broker';
import { deriveDeliveryId, randomEventId, type EndpointId, type FormId } from '@form-webhooks/domain';
import {
  readDeliveryMessage,
  type DeliveryMessage,
  type DeliveryRecord,
  type EventRecord,
} from '@form-webhooks/messages';
import type { DataSource } from '@form-webhooks/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { Probe } from '../support/broker.js';
import { openDatabase } from '../support/config/config-database.js';
import { ConfigStage } from '../support/config/config-stage.js';
import { anAttempt, anEvent, aStep, logWriter } from '../support/config/delivery-log.js';

const RETRYING = { state: 'retrying', position: { generation: 0, try: 1, deferrals: 0 } } as const;
const FAILED = anAttempt({
  response: { status: 503, headers: {}, excerpt: '', truncated: false },
  outcome: 'retry',
});

describe('a delivery that waits', () => {
  let stage: ConfigStage;
  let dataSource: DataSource;
  let form: FormId;
  let endpoint: string;

  beforeAll(async () => {
    stage = await ConfigStage.open();
    dataSource = await openDatabase(stage.databaseUrl);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await stage.close();
  });
  beforeEach(async () => {
    form = (await stage.form('ws_one')) as FormId;
    const body = { url: 'https://hooks.example.com/a' };
    endpoint = (await stage.call('POST', `/v1/forms/${form}/endpoints`, { body })).body.id;
  });

  const at = (id: string, action = '') => `/v1/forms/${form}/deliveries/${id}${action}`;
  const ask = (id: string, action: 'retry' | 'cancel') => stage.call('POST', at(id, `/${action}`));
  const shown = async (id: string) => (await stage.call('GET', at(id))).body;
  const write = (...records: (EventRecord | DeliveryRecord)[]) => logWriter(dataSource).write(records);

  /** A delivery in the log, after this step if there was one. */
  async function logged(step?: Partial<DeliveryRecord>): Promise<{ id: string; event: EventRecord }> {
    const eventId = randomEventId();
    const id = deriveDeliveryId(eventId, endpoint);
    const event = anEvent({
      formId: form,
      eventId,
      deliveries: [{ endpointId: endpoint as EndpointId, deliveryId: id }],
    });
    await write(event, ...(step ? [aStep(event, { attempt: null, ...step })] : []));
    return { id, event };
  }

  /** What the dispatchers get from now on. */
  async function dispatched(): Promise<DeliveryMessage[]> {
    const probe = await Probe.open(brokerUrl());
    await probe.channel.purgeQueue(QUEUES.deliveries);
    const messages: DeliveryMessage[] = [];
    await probe.channel.consume(
      QUEUES.deliveries,
      (raw) => raw && messages.push(readDeliveryMessage(raw.properties.headers ?? {}, raw.content)),
      { noAck: true },
    );
    return messages;
  }

  const audited = async (action: string): Promise<unknown[]> =>
    (await stage.call('GET', `/v1/audit-log?workspace_id=ws_one&form_id=${form}&action=${action}`)).body.items;

  it('is attempted now if its owner asks: the next generation goes out once, audited', async () => {
    const messages = await dispatched();
    const { id } = await logged({ ...RETRYING, attempt: FAILED });
    expect((await ask(id, 'retry')).status).toBe(202);
    await vi.waitFor(() => expect(messages).toHaveLength(1), 20_000);
    expect(messages[0]).toMatchObject({ deliveryId: id, position: { generation: 1, try: 0, deferrals: 0 } });
    expect(await shown(id)).toMatchObject({ state: 'pending', generation: 1, attempt_count: 1 });
    expect(await audited('delivery.retried')).toMatchObject([
      { target: { type: 'delivery', id }, changes: [{ field: 'generation', old: 0, new: 1 }] },
    ]);
    expect((await ask(id, 'retry')).body.code, 'it is on its way').toBe('due_now');
  });

  it('is sent once when it is asked for at the same moment, or also called off', async () => {
    const { id } = await logged(RETRYING);
    const answers = await Promise.all([ask(id, 'retry'), ask(id, 'retry'), ask(id, 'cancel'), ask(id, 'cancel')]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    for (const { status } of answers) expect([200, 202, 409]).toContain(status);
  });

  it.each([
    ['retrying', RETRYING],
    ['put off', { state: 'pending', position: { generation: 0, try: 0, deferrals: 1 }, waitsFor: 'no_slot' } as const],
  ])(
    'is called off if its owner asks, %s or not, and what an attempt in flight still tells revives nothing',
    async (_, step) => {
      const { id, event } = await logged(step);
      const answer = await ask(id, 'cancel');
      expect(answer.status).toBe(200);
      const called = { state: 'cancelled', reason: 'cancelled_by_owner', next_attempt_at: null, waits_for: null };
      expect(answer.body).toMatchObject({ ...called, delivery_id: id });
      await write(
        aStep(event, { state: 'retrying', position: { generation: 0, try: 2, deferrals: 0 }, attempt: FAILED }),
      );
      expect(await shown(id)).toMatchObject(called);
      const known = await stage.broker.rpc.call(
        QUEUES.configRpc,
        'known_deliveries',
        { deliveries: [{ delivery_id: id, accepted_at: event.acceptedAt }] },
        20_000,
      );
      expect(known.known).toMatchObject([{ delivery_id: id, generation: 0, is_final: true }]);
      expect(await audited('delivery.cancelled')).toMatchObject([{ target: { type: 'delivery', id } }]);
      const { body } = await stage.call('GET', `/v1/forms/${form}/deliveries?state=cancelled`);
      expect(body.items).toHaveLength(1);

      await write(aStep(event, { position: { generation: 0, try: 2, deferrals: 0 } }));
      expect((await shown(id)).state, 'a success is a success').toBe('delivered');
    },
  );

  it('can be replayed after it was called off', async () => {
    const messages = await dispatched();
    const { id } = await logged(RETRYING);
    await ask(id, 'cancel');
    expect((await stage.call('POST', at(id, '/replay'))).status).toBe(202);
    await vi.waitFor(() => expect(messages).toHaveLength(1), 20_000);
    expect(messages[0]).toMatchObject({ position: { generation: 1, try: 0, deferrals: 0 } });
  });

  it.each([
    ['delivered', {}, 'final'],
    ['failed', { state: 'failed', reason: 'exhausted' } as const, 'final'],
    ['on its way to its first attempt', undefined, 'due_now'],
  ])('is not what is %s: neither is done, and the code says why', async (_, step, code) => {
    const messages = await dispatched();
    const { id } = await logged(step);
    const before = await shown(id);
    for (const action of ['retry', 'cancel'] as const) {
      const { status, body } = await ask(id, action);
      expect([status, body.code]).toEqual([409, code]);
    }
    expect(await shown(id)).toEqual(before);
    expect(messages).toEqual([]);
  });

  it('is not attempted now if it is a test send, its endpoint is off, or its data was erased', async () => {
    const test = await logged({ ...RETRYING, trigger: 'test' });
    expect((await ask(test.id, 'retry')).body.code).toBe('test_send');
    const { id, event } = await logged(RETRYING);
    await stage.call('PATCH', `/v1/forms/${form}/endpoints/${endpoint}`, { body: { enabled: false } });
    expect((await ask(id, 'retry')).body.code).toBe('endpoint_disabled');
    await stage.call('PATCH', `/v1/forms/${form}/endpoints/${endpoint}`, { body: { enabled: true } });
    await stage.call('DELETE', `/v1/forms/${form}/submissions/${event.submissionId}/data`);
    expect((await ask(id, 'retry')).body.code).toBe('payload_erased');
  });
});
