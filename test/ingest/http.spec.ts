import { laneQueueOf, QUEUES } from '@form-webhooks/broker';
import { deriveEventId } from '@form-webhooks/domain';
import { readEventMessage } from '@form-webhooks/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { anEvent, IngestStage } from '../support/ingest-service.js';

interface ProblemDocument {
  readonly status: number;
  readonly detail: string;
  readonly code?: string;
  readonly request_id: string;
  readonly errors?: readonly { readonly field: string; readonly code: string }[];
}

describe('POST /v1/events', () => {
  let stage: IngestStage;

  beforeAll(async () => {
    stage = await IngestStage.open(brokerUrl());
  });
  afterAll(() => stage.close());

  async function problemOf(response: Response, status: number): Promise<ProblemDocument> {
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const problem = (await response.json()) as ProblemDocument;
    expect(problem).toMatchObject({ type: 'about:blank', status });
    expect(response.status).toBe(status);
    expect(problem.request_id).toBe(response.headers.get('x-request-id'));
    return problem;
  }

  it('answers 202 once the event is safe in the broker, byte for byte', async () => {
    const fields =
      '{ "n" : 12345678901234567890 , "a":1,"a":1.0, "__proto__":{"x":"\\ud800\\u0000"} ,"e":1e400,"😀":-0}';
    const payment = '{"status":"succeeded", "amount":4200,"currency":"eur","extra":1e2}';
    const meta = '{"ip":"203.0.113.7","z":"\\u0041"}';
    const body = anEvent({ event: '"payment.succeeded"', fields, payment, meta, idempotency_key: '"pay-1"' });
    const response = await stage.post(body);
    expect(response.status).toBe(202);
    const accepted = (await response.json()) as { event_id: string; accepted_at: string };
    const message = await stage.take(QUEUES.events);
    const event = readEventMessage(message.properties.headers ?? {}, message.content);
    expect(event).toMatchObject({ event: 'payment.succeeded', formId: 'f_1', submissionId: 's_1' });
    expect(event.eventId).toBe(deriveEventId({ ...event, key: 'pay-1' }));
    expect(accepted).toEqual({ event_id: event.eventId, accepted_at: new Date(event.acceptedAt).toISOString() });
    expect(event.tail.toString()).toBe(
      `"form_id":"f_1","submission_id":"s_1","fields":${fields},"payment":${payment},"meta":${meta}}`,
    );
    expect(message.properties.deliveryMode).toBe(2);
  });

  it('carries 900 KiB of text', async () => {
    const fields = `{"text":"${'é'.repeat(460_800)}"}`;
    expect((await stage.post(anEvent({ fields }))).status).toBe(202);
    expect((await stage.take(laneQueueOf('large'))).content.includes(fields)).toBe(true);
  });

  it('makes one event of two posts with one key, in the header or the body, and two of two forms', async () => {
    const idOf = async (body: string, headers = {}): Promise<string> => {
      const response = await stage.post(body, headers);
      expect(response.status).toBe(202);
      return ((await response.json()) as { event_id: string }).event_id;
    };
    const first = await idOf(anEvent({ idempotency_key: '"k"' }));
    expect(await idOf(anEvent(), { 'idempotency-key': 'k' })).toBe(first);
    expect(await idOf(anEvent({ idempotency_key: '"k"' }), { 'idempotency-key': 'k' })).toBe(first);
    expect(await idOf(anEvent({ form_id: '"f_2"', idempotency_key: '"k"' }))).not.toBe(first);
    expect(await idOf(anEvent())).not.toBe(await idOf(anEvent()));
    await stage.channel.purgeQueue(QUEUES.events);
  });

  it('tells all faults of a body at once', async () => {
    const body = anEvent({
      event: '"x"',
      form_id: undefined,
      submission_id: '1',
      fields: '[]',
      meta: '{"ip":1}',
      a: '1',
    });
    const problem = await problemOf(await stage.post(body, { 'idempotency-key': ' ' }), 422);
    expect(problem.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual(
      [
        'Idempotency-Key invalid_format',
        'a unknown_member',
        'event unknown_event',
        'fields invalid_type',
        'form_id required',
        'meta.ip invalid_type',
        'submission_id invalid_type',
      ].sort(),
    );
  });

  it.each([
    ['a body and header key that differ', anEvent({ idempotency_key: '"a"' }), { 'idempotency-key': 'b' }],
    ['an array', '[]', {}],
    ['null', 'null', {}],
    ['no payment on payment.succeeded', anEvent({ event: '"payment.succeeded"', payment: 'null' }), {}],
  ])('answers 422 to %s', async (_what, body, headers) => {
    expect((await problemOf(await stage.post(body, headers), 422)).errors).toHaveLength(1);
  });

  it.each([
    ['no JSON', '{not json', 'bad_json'],
    ['an empty body', '', 'bad_json'],
    ['bad UTF-8', Buffer.from([0xff, 0x00, 0x7b]), 'bad_encoding'],
    ['a byte order mark', `\ufeff${anEvent()}`, 'bad_encoding'],
    ['UTF-16', Buffer.from(anEvent(), 'utf16le'), 'bad_json'],
    ['a depth of 100,000', anEvent({ fields: '{"a":'.repeat(100_000) }), 'too_deep'],
  ])('answers 400 to %s', async (_what, body, code) => {
    expect((await problemOf(await stage.post(body), 400)).code).toBe(code);
  });

  it.each([
    ['2 MiB', anEvent({ fields: `{"a":"${'x'.repeat(2 << 20)}"}` })],
    ['one byte over 1 MiB', anEvent({ fields: `{"a":"${'x'.repeat((1 << 20) - anEvent().length - 6)}x"}` })],
  ])('answers 413 to %s and says the limit', async (_what, body) => {
    expect((await problemOf(await stage.post(body), 413)).detail).toContain('1048576 bytes (1024 KiB)');
  });

  it('accepts 1 MiB to the byte', async () => {
    const body = anEvent({ fields: `{"a":"${'x'.repeat((1 << 20) - anEvent().length - 6)}"}` });
    expect(Buffer.byteLength(body)).toBe(1 << 20);
    expect((await stage.post(body)).status).toBe(202);
    await stage.take(laneQueueOf('large'));
  });

  it('cuts a chunked body off at the limit', async () => {
    const chunk = new Uint8Array(1 << 18).fill(0x20);
    let left = 12;
    const body = new ReadableStream({
      pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
    });
    const response = await fetch(`${stage.ingest.url}/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.key.key}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    });
    await problemOf(response, 413);
  });

  it.each([
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/json; charset=utf-16' }],
    [{ 'content-type': 'application/x-www-form-urlencoded' }],
    [{ 'content-type': 'application/json5' }],
    [{ 'content-type': '' }],
    [{ 'content-encoding': 'gzip' }],
    [{ 'content-encoding': 'br' }],
  ])('answers 415 to %j', async (headers) => {
    await problemOf(await stage.post(anEvent(), headers), 415);
  });

  it.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])(
    'takes %s for JSON',
    async (type) => {
      expect((await stage.post(anEvent(), { 'content-type': type })).status).toBe(202);
      await stage.take(QUEUES.events);
    },
  );

  it('answers other paths and methods with problem documents', async () => {
    const get = await fetch(`${stage.ingest.url}/v1/events`);
    await problemOf(get, 405);
    expect(get.headers.get('allow')).toBe('POST');
    await problemOf(await fetch(`${stage.ingest.url}/v1/nothing`, { method: 'POST' }), 404);
    expect((await fetch(`${stage.ingest.url}/%E0%A4%A`)).status).toBe(400);
  });

  it('counts what it accepted and refused', async () => {
    expect(await stage.metric('ingest_events_accepted_total')).toHaveLength(1);
    expect((await stage.metric('ingest_events_refused_total')).join('\n')).toContain('reason="too_deep"');
  });
});
