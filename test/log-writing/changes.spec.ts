import { parkedQueueOf, QUEUES, TO_LOG, toQueue } from '@form-webhooks/broker';
import { deriveDeliveryId, randomEventId, type FormId } from '@form-webhooks/domain';
import {
  decodeLogBatch,
  encodeLogBatch,
  readDeliveryMessage,
  type DeliveryMessage,
  type DeliveryRecord,
  type EventRecord,
  type LogRecord,
} from '@form-webhooks/messages';
import type { GetMessage } from 'amqplib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { Probe } from '../support/broker.js';
import { ADMIN_KEY, ConfigStage, startableService, startedAt } from '../support/config/config-stage.js';
import { anAttempt, anEvent, aStep } from '../support/config/delivery-log.js';

describe('what an owner does to the delivery log', () => {
  let stage: ConfigStage;
  let form: FormId;
  let endpointId: string;

  beforeAll(async () => {
    stage = await ConfigStage.open();
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    form = (await stage.form('ws_one')) as FormId;
    const body = { url: 'https://hooks.example.com/a' };
    endpointId = (await stage.call('POST', `/v1/forms/${form}/endpoints`, { body })).body.id;
  });

  const record = (...records: LogRecord[]): Promise<void> =>
    stage.broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch(records) });
  const path = (rest = '') => `/v1/forms/${form}/deliveries${rest}`;
  const detail = async (id: string) => (await stage.call('GET', path(`/${id}`))).body;
  const audit = async (action: string) =>
    (await stage.call('GET', `/v1/audit-log?workspace_id=ws_one&form_id=${form}&action=${action}`)).body.items;

  /** An event for the form's endpoint, in the log with what became of it. */
  async function logged(step: Partial<DeliveryRecord> = {}, submissionId = 's_1') {
    const eventId = randomEventId();
    const deliveryId = deriveDeliveryId(eventId, endpointId);
    const deliveries = [{ endpointId: endpointId as never, deliveryId }];
    const event = anEvent({ formId: form, eventId, deliveries, submissionId: submissionId as never });
    const told = aStep(event, step);
    await record(event, told);
    await vi.waitFor(async () => expect((await detail(deliveryId)).state).toBe(told.state), 30_000);
    return { event, deliveryId };
  }

  /** The delivery messages that come to the dispatchers from now on. */
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

  describe('replaying a delivery', () => {
    it('sends it again under the same id as the next generation, found as pending at once', async () => {
      const messages = await dispatched();
      const { event, deliveryId } = await logged({ state: 'failed', reason: 'exhausted' });
      const answer = await stage.call('POST', path(`/${deliveryId}/replay`));
      expect(answer).toMatchObject({ status: 202, body: { delivery_id: deliveryId } });
      expect(await detail(deliveryId)).toMatchObject({
        state: 'pending',
        reason: null,
        generation: 1,
        trigger: 'replay',
        completed_at: null,
        attempt_count: 1,
      });
      await vi.waitFor(() => expect(messages).toHaveLength(1), 30_000);
      expect(messages[0]).toMatchObject({
        deliveryId,
        eventId: event.eventId,
        acceptedAt: event.acceptedAt,
        position: { generation: 1, try: 0, deferrals: 0 },
        trigger: 'replay',
        tail: event.tail,
      });
      expect(messages[0]!.generationStartedAt).toBeGreaterThan(event.acceptedAt);
      expect(await audit('delivery.replayed')).toMatchObject([{ target: { type: 'delivery', id: deliveryId } }]);

      // A record of the old generation that comes late changes nothing but the count of attempts.
      await record(aStep(event, { attempt: anAttempt() }));
      await vi.waitFor(async () => expect((await detail(deliveryId)).attempt_count).toBe(2), 30_000);
      expect(await detail(deliveryId)).toMatchObject({ state: 'pending', generation: 1 });
      const position = { generation: 1, try: 0, deferrals: 0 };
      await record(aStep(event, { position, trigger: 'replay', attempt: anAttempt() }));
      await vi.waitFor(async () => expect((await detail(deliveryId)).state).toBe('delivered'), 30_000);
    });

    it('makes one generation of many calls at once', async () => {
      const messages = await dispatched();
      const { deliveryId } = await logged();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => stage.call('POST', path(`/${deliveryId}/replay`))),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409, 409, 409, 409]);
      expect((await detail(deliveryId)).generation).toBe(1);
      await vi.waitFor(() => expect(messages).toHaveLength(1), 30_000);
    });

    it('is refused while it is attempted, without an enabled endpoint, and for what is unknown', async () => {
      const position = { generation: 0, try: 1, deferrals: 0 };
      const retrying = await logged({ state: 'retrying', position });
      const final = await logged();
      const refused = async (id: string) => {
        const { status, body } = await stage.call('POST', path(`/${id}/replay`));
        return [status, body.code];
      };
      expect(await refused(retrying.deliveryId)).toEqual([409, 'not_final']);
      expect(await refused('dlv_unknown')).toEqual([404, undefined]);
      const endpoint = `/v1/forms/${form}/endpoints/${endpointId}`;
      await stage.call('PATCH', endpoint, { body: { enabled: false } });
      expect(await refused(final.deliveryId)).toEqual([409, 'endpoint_disabled']);
      await stage.call('DELETE', endpoint);
      expect(await refused(final.deliveryId)).toEqual([409, 'endpoint_deleted']);
      expect(await detail(final.deliveryId)).toMatchObject({ state: 'delivered', generation: 0 });
      expect(await audit('delivery.replayed')).toEqual([]);
    });
  });

  describe('erasing a submission', () => {
    const erase = (id: string) => stage.call('DELETE', `/v1/forms/${form}/submissions/${id}/data`);

    it('takes payloads and answers away, over all its deliveries, and leaves the bare record', async () => {
      const { deliveryId } = await logged({}, 's_gone');
      const other = await logged({}, 's_stays');
      expect((await erase('s_gone')).status).toBe(204);
      const left = await detail(deliveryId);
      expect(left).toMatchObject({ state: 'delivered', submission_id: 's_gone', payload: null });
      expect(left.attempts[0]).toMatchObject({
        request: { body: null },
        response: { status: 200, headers: {}, excerpt: null },
      });
      expect((await detail(other.deliveryId)).payload).toContain('Ada');
      expect(await audit('submission.erased')).toMatchObject([{ target: { type: 'submission', id: 's_gone' } }]);
      expect(stage.notices).toContainEqual(expect.objectContaining({ kind: 'form', form_id: form }));
      expect((await stage.call('POST', path(`/${deliveryId}/replay`))).body.code).toBe('payload_erased');
    });

    it('holds for records that come after it', async () => {
      expect((await erase('s_late')).status).toBe(204);
      const { deliveryId } = await logged({}, 's_late');
      const late = await detail(deliveryId);
      expect(late.payload).toBeNull();
      expect(late.attempts[0].response).toMatchObject({ excerpt: null, headers: {} });
    });

    it('holds for records that can not be written: of a message only those of others are parked', async () => {
      const probe = await Probe.open(brokerUrl());
      const queue = parkedQueueOf(QUEUES.deliveryLog);
      await probe.channel.purgeQueue(queue);
      expect((await erase('s_gone')).status).toBe(204);
      const [gone, stays] = ['s_gone', 's_stays'].map((id) => anEvent({ formId: form, submissionId: id as never })) as [
        EventRecord,
        EventRecord,
      ];
      const acceptedAt = Date.now() - 90 * 86_400_000;
      const [lost, kept] = [{ ...gone, acceptedAt }, aStep(stays, { acceptedAt })];
      await record(gone, lost);
      await record(gone, lost, stays, kept);
      const parked = await vi.waitFor(async () => {
        const raw = await probe.channel.get(queue, { noAck: true });
        if (!raw) throw new Error('nothing is parked yet');
        return raw;
      }, 30_000);
      expect(decodeLogBatch(parked.content)).toEqual([kept]);
      expect(parked.properties.headers?.['parked_reason']).toContain(kept.deliveryId);
      expect((await detail(kept.deliveryId)).payload, 'what can be written is').toContain('Ada');
      expect(await probe.depth(queue)).toBe(0);
    });

    it('holds while records are being written', async () => {
      const eventId = randomEventId();
      const deliveryId = deriveDeliveryId(eventId, endpointId);
      const deliveries = [{ endpointId: endpointId as never, deliveryId }];
      const event = anEvent({ formId: form, eventId, deliveries, submissionId: 's_race' as never });
      const writes = Array.from({ length: 60 }, () => record(event, aStep(event, { attempt: anAttempt() })));
      const answers = await Promise.all([erase('s_race'), erase('s_race'), ...writes]);
      expect(answers.slice(0, 2)).toMatchObject([{ status: 204 }, { status: 204 }]);
      await vi.waitFor(async () => expect((await detail(deliveryId)).attempt_count).toBe(60), 30_000);
      expect(JSON.stringify(await detail(deliveryId))).not.toMatch(/Ada|"ok"/);
    });

    it('reaches copies in parked messages, and leaves what is of others', async () => {
      const probe = await Probe.open(brokerUrl());
      const { publisher } = stage.broker;
      const event = (submissionId: string) => anEvent({ formId: form, submissionId: submissionId as never });
      const [gone, stays] = [event('s_parked'), event('s_other')];
      const headersOf = ({ submissionId }: { submissionId: string }) => ({
        form_id: form,
        submission_id: submissionId,
      });
      const formEvent = (submissionId: string) =>
        Buffer.from(JSON.stringify({ form_id: form, submission_id: submissionId }));
      const [deliveries, log, rejected] = [QUEUES.deliveries, QUEUES.deliveryLog, QUEUES.formEvents].map(
        parkedQueueOf,
      ) as [string, string, string];
      for (const queue of [deliveries, log, rejected]) await probe.channel.purgeQueue(queue);
      for (const one of [gone, stays]) {
        await publisher.publish(toQueue(deliveries), { headers: headersOf(one), body: one.tail });
        await publisher.publish(toQueue(rejected), { headers: {}, body: formEvent(one.submissionId) });
      }
      for (const batch of [[gone, stays], [gone], [stays]]) {
        const properties = { messageId: `m-${batch.length}`, headers: { parked_reason: 'x' } };
        await publisher.publish(toQueue(log), { ...properties, body: encodeLogBatch(batch) });
      }
      await publisher.publish(toQueue(log), { headers: {}, body: Buffer.from('unreadable') });
      expect((await erase('s_parked')).status).toBe(204);
      // What was only looked at comes back when the channel that did so has ended, a moment after the answer.
      const left = async (queue: string, count: number): Promise<GetMessage[]> => {
        const messages: GetMessage[] = [];
        await vi.waitFor(async () => {
          let raw: GetMessage | false;
          while ((raw = await probe.channel.get(queue, { noAck: true }))) messages.push(raw);
          expect(messages.length).toBeGreaterThanOrEqual(count);
        }, 30_000);
        return messages;
      };
      const bodies = (messages: readonly GetMessage[]): string[] =>
        messages.map(({ content }) => String(content)).sort();
      expect(bodies(await left(deliveries, 1))).toEqual([String(stays.tail)]);
      expect(bodies(await left(rejected, 1))).toEqual([String(formEvent('s_other'))]);
      const batches = await left(log, 3);
      expect(bodies(batches)).toEqual(
        [encodeLogBatch([stays]), encodeLogBatch([stays]), Buffer.from('unreadable')].map(String).sort(),
      );
      const shortened = batches.find(({ properties }) => properties.messageId === 'm-2');
      expect(shortened?.properties.headers, 'what is shortened stays the message it was').toMatchObject({
        parked_reason: 'x',
      });
    });

    it('reaches all parked copies, though replicas look through the queues for many at once', async () => {
      const other = startableService(stage.databaseUrl);
      const urls = [stage.url, await startedAt(other)];
      const queue = parkedQueueOf(QUEUES.deliveries);
      const probe = await Probe.open(brokerUrl());
      await probe.channel.purgeQueue(queue);
      const ids = Array.from({ length: 60 }, (_, n) => `s_many${n}`);
      const { publisher } = stage.broker;
      for (const submission_id of ids) {
        await publisher.publish(toQueue(queue), { headers: { form_id: form, submission_id }, body: Buffer.from('x') });
      }
      const headers = { authorization: `Bearer ${ADMIN_KEY}` };
      const answers = await Promise.all(
        ids.map((id, n) =>
          fetch(`${urls[n % 2]}/v1/forms/${form}/submissions/${id}/data`, { method: 'DELETE', headers }),
        ),
      );
      expect(answers.every(({ status }) => status === 204)).toBe(true);
      expect(await probe.depth(queue)).toBe(0);
      await other.stop();
    });

    it('is 404 for what can be no submission, and bound to the workspace', async () => {
      expect((await erase('no-submission')).status).toBe(404);
      const key = await stage.key('ws_other', ['data:erase']);
      expect((await stage.call('DELETE', `/v1/forms/${form}/submissions/s_1/data`, { key })).status).toBe(404);
    });
  });
});
