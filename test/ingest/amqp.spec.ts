import { QUEUES } from '@form-webhooks/broker';
import { deriveEventId } from '@form-webhooks/domain';
import { readEventMessage } from '@form-webhooks/messages';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { anEvent, IngestStage } from '../support/ingest-service.js';

describe('the exchange form.events', () => {
  let stage: IngestStage;

  beforeAll(async () => {
    stage = await IngestStage.open(brokerUrl());
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    for (const queue of [QUEUES.events, QUEUES.formEventsRejected]) await stage.channel.purgeQueue(queue);
  });

  /** A good message that comes last: once it is through, everything before it is settled. */
  async function expectTheNextToPass(): Promise<void> {
    stage.publish(anEvent({ form_id: '"f_next"' }), { messageId: 'next' });
    const message = await stage.take(QUEUES.events);
    expect(message.properties.headers).toMatchObject({ form_id: 'f_next' });
  }

  async function rejected(): Promise<{ reason: string; body: Buffer; messageId: unknown }> {
    const { properties, content } = await stage.take(QUEUES.formEventsRejected);
    const reason = String(properties.headers?.['parked_reason']);
    return { reason, body: content, messageId: properties.messageId };
  }

  it('accepts an event byte for byte, as the event that its message_id names', async () => {
    const fields =
      '{"n":12345678901234567890,"a":1,"a":1.0,"__proto__":{"x":"\\ud800\\u0000"},"e":1e400,"10":-0,"2":0}';
    stage.publish(anEvent({ fields }), { messageId: 'sub-1' });
    const { properties, content } = await stage.take(QUEUES.events);
    const event = readEventMessage(properties.headers ?? {}, content);
    expect(event.eventId).toBe(deriveEventId({ ...event, key: 'sub-1' }));
    expect(event.tail.toString()).toBe(`"form_id":"f_1","submission_id":"s_1","fields":${fields},"meta":{}}`);
  });

  it('makes the same event of a message that comes twice, and of a post with that key', async () => {
    const ids: unknown[] = [];
    const takeId = async () => ids.push((await stage.take(QUEUES.events)).properties.messageId);
    // One after the other: copies that come while the broker has not confirmed the first may share its confirm.
    stage.publish(anEvent(), { messageId: 'twice' });
    await takeId();
    stage.publish(anEvent(), { messageId: 'twice' });
    await takeId();
    await stage.post(anEvent(), { 'idempotency-key': 'twice' });
    await takeId();
    expect(new Set(ids).size).toBe(1);
  });

  it.each<[string, string | Buffer, Record<string, unknown>, RegExp]>([
    ['no JSON', '{not json', {}, /^bad_json: /],
    ['an empty body', '', {}, /^bad_json: /],
    ['a number', '123', {}, /^invalid: the body must be a JSON object$/],
    ['an array', '[]', {}, /^invalid: /],
    ['null', 'null', {}, /^invalid: /],
    ['bad UTF-8', Buffer.from([0xff, 0x00, 0x7b]), {}, /^bad_encoding: /],
    ['a byte order mark', `\ufeff${anEvent()}`, {}, /^bad_encoding: /],
    ['UTF-16', Buffer.from(anEvent(), 'utf16le'), {}, /^bad_json: /],
    ['a depth of 100,000', anEvent({ fields: '{"a":'.repeat(100_000) }), {}, /^too_deep: /],
    ['another content type', anEvent(), { contentType: 'text/weird' }, /^media_type: /],
    ['a compressed body', anEvent(), { contentEncoding: 'gzip' }, /^media_type: /],
    ['one byte over 1 MiB', Buffer.alloc((1 << 20) + 1, 0x20), {}, /^too_large: .* 1048577 bytes, at most 1048576/],
    ['3 MiB', Buffer.alloc(3 << 20, 0x20), {}, /^too_large: /],
    ['an unknown schema version', anEvent(), { headers: { schema_version: 2 } }, /^schema_version: /],
    ['no message_id', anEvent(), { messageId: undefined }, /^invalid: message_id is required/],
    ['a message_id with a blank', anEvent(), { messageId: 'a b' }, /^invalid: message_id must be/],
    [
      'a key that differs',
      anEvent({ idempotency_key: '"other"' }),
      {},
      /^invalid: idempotency_key and message_id differ/,
    ],
    ['two faults', anEvent({ form_id: '1', fields: '[]' }), {}, /^invalid: form_id .*; fields /],
    ['an unknown event under a known routing key', anEvent({ event: '"x.y"' }), {}, /^invalid: event must be one of/],
    ['another event than its routing key', anEvent({ event: '"draft.resumed"' }), {}, /differs from the routing key/],
  ])('rejects %s with its reason, whole, and handles the next', async (_what, body, properties, reason) => {
    stage.publish(body, { messageId: 'm-1', ...properties });
    await expectTheNextToPass();
    const found = await rejected();
    expect(found.reason).toMatch(reason);
    expect(found.body.equals(Buffer.from(body as string))).toBe(true);
    expect(await stage.depth(QUEUES.formEvents)).toBe(0);
  });

  it('takes a message that does not say its type', async () => {
    stage.publish(anEvent(), { messageId: 'm-1', contentType: undefined });
    await stage.take(QUEUES.events);
  });

  it('discards kinds of events that are not delivered, and counts them', async () => {
    stage.publish(anEvent({ event: '"form.viewed"' }), { messageId: 'm-1' }, 'form.viewed');
    await expectTheNextToPass();
    expect(await stage.depth(QUEUES.formEventsRejected)).toBe(0);
    expect(await stage.metric('ingest_events_discarded_total')).toEqual([
      'ingest_events_discarded_total{app="ingest"} 1',
    ]);
  });

  it('accepts a message that is put into the queue directly, as when a rejected one goes round again', async () => {
    stage.channel.sendToQueue(QUEUES.formEvents, Buffer.from(anEvent()), { messageId: 'again' });
    expect((await stage.take(QUEUES.events)).properties.headers).toMatchObject({ form_id: 'f_1' });
  });

  it('is not harmed by headers and properties of any kind', async () => {
    const headers = {
      text: 'x'.repeat(60_000),
      table: { deep: { deeper: [1, 2, { x: 'y' }] } },
      bytes: Buffer.alloc(100),
      __proto__: 1,
      constructor: 'x',
      nothing: null,
      yes: true,
      half: 0.5,
      long: 2 ** 53,
    };
    const properties = {
      headers,
      messageId: 'm-1',
      correlationId: 'x'.repeat(255),
      replyTo: 'x',
      expiration: '60000',
      type: 'x',
    };
    stage.publish(anEvent(), properties);
    await stage.take(QUEUES.events);
    stage.publish('{not json', properties);
    expect((await rejected()).reason).toMatch(/^bad_json/);
    await expectTheNextToPass();
  });

  it('rejects a message whose headers leave no room for a reason', async () => {
    stage.publish('{not json', { messageId: 'm-1', headers: { text: 'x'.repeat(65_500) } });
    expect((await rejected()).reason).toMatch(/^bad_json/);
    await expectTheNextToPass();
  });

  it('keeps a stranger’s values out of the reason', async () => {
    const canary = 'canary-7f3a';
    stage.publish(anEvent({ event: `"${canary}"`, form_id: `"${canary}"`, meta: `"${canary}"` }), {
      messageId: canary,
    });
    expect((await rejected()).reason).not.toContain(canary);
  });
});
