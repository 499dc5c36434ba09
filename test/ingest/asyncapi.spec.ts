import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { EXCHANGES, QUEUES } from '@form-webhooks/broker';
import {
  decodeLogBatch,
  deliveryHeaders,
  encodeConfigChange,
  encodeLogBatch,
  readEventMessage,
  type ConfigChange,
  type DeliveryMessage,
  type LogRecord,
} from '@form-webhooks/messages';
import { Ajv, type ValidateFunction } from 'ajv';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { parse } from 'yaml';
import { IngestStage } from '../support/ingest-service.js';

interface Message {
  readonly headers?: object;
  readonly payload: object;
  readonly examples?: readonly { readonly name: string; readonly payload: Record<string, unknown> }[];
  readonly 'x-rejected-examples'?: readonly RejectedExample[];
  readonly 'x-properties'?: object;
  readonly 'x-answer'?: object;
}

interface RejectedExample {
  readonly name: string;
  readonly text: string;
  /** The code that its reason starts with. */
  readonly reason: string;
  /** False if the schema refuses it too. */
  readonly schema?: boolean;
  readonly message_id?: null;
  readonly content_type?: string;
  readonly routing_key?: string;
  readonly headers?: object;
}

interface AsyncApiDocument {
  readonly channels: Readonly<
    Record<string, { readonly address: string; readonly bindings: { readonly amqp: object } }>
  >;
  readonly components: { readonly messages: Readonly<Record<string, Message>> };
}

const text = readFileSync(join(import.meta.dirname, '../../docs/asyncapi.yaml'), 'utf8');
const document = parse(text) as AsyncApiDocument;
const { messages } = document.components;
const formEvent = messages['formEvent']!;

const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(document, 'asyncapi');

/** A validator of one place of the document; it says what is wrong. */
function validator(place: string): (value: unknown) => string {
  const validate: ValidateFunction = ajv.compile({ $ref: `asyncapi#/components/messages/${place}` });
  return (value) => (validate(value) ? '' : ajv.errorsText(validate.errors));
}

const delivery = {
  event: 'submission.created',
  eventId: 'evt_1',
  formId: 'f_1',
  submissionId: 's_1',
  acceptedAt: 1,
  tail: Buffer.from('"form_id":"f_1","submission_id":"s_1","fields":{},"meta":{}}'),
  deliveryId: 'dlv_1',
  endpointId: 'we_1',
  position: { generation: 0, try: 1, deferrals: 2 },
  generationStartedAt: 1,
  dueAt: 2,
  trigger: 'event',
} as DeliveryMessage;

describe('docs/asyncapi.yaml', () => {
  it('is a valid AsyncAPI 3.0 document', () => {
    const schema = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0-without-$id.json') as object;
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    expect(validate(document) ? '' : validate.errors).toBe('');
  });

  it('names the exchanges and queues that are declared', () => {
    const addresses = Object.values(document.channels).map(({ address }) => address);
    const queues = [QUEUES.formEventsRejected, QUEUES.configRpc, QUEUES.dispatcherRpc];
    expect(addresses.sort()).toEqual([...Object.values(EXCHANGES), ...queues].sort());
  });

  it('describes what travels between the services', () => {
    expect(validator('delivery/headers')(deliveryHeaders(delivery))).toBe('');
    const { due_at: _left, ...incomplete } = deliveryHeaders(delivery);
    expect(validator('delivery/headers')(incomplete)).not.toBe('');
    expect(validator('delivery/payload')(delivery.tail.toString())).toBe('');
    const changes: ConfigChange[] = [
      { kind: 'form', form_id: 'f_1' },
      { kind: 'all_forms' },
      { kind: 'api_key', key_id: 'key_1' },
    ];
    for (const change of changes) {
      expect(validator('configChange/payload')(JSON.parse(encodeConfigChange(change).toString()))).toBe('');
    }
  });

  it('describes the index of a log batch', () => {
    const records: LogRecord[] = [
      {
        ...delivery,
        kind: 'event',
        fannedOutAt: delivery.acceptedAt,
        deliveries: [{ deliveryId: delivery.deliveryId, endpointId: delivery.endpointId }],
      },
      {
        ...delivery,
        kind: 'delivery',
        state: 'pending',
        reason: null,
        nextAttemptAt: null,
        completedAt: null,
        attempt: null,
      },
      { kind: 'fence', fenceId: 'rec_1-due', queue: 'dispatcher.due', sentAt: delivery.acceptedAt },
    ];
    const batch = encodeLogBatch(records);
    const index = JSON.parse(batch.toString('utf8', 4, 4 + batch.readUInt32BE())) as unknown;
    expect(validator('logBatch/payload')(index)).toBe('');
    expect(decodeLogBatch(batch)).toHaveLength(3);
  });
});

describe('the contract for publishers on form.events', () => {
  let stage: IngestStage;

  beforeAll(async () => {
    stage = await IngestStage.open(brokerUrl());
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    for (const queue of [QUEUES.events, QUEUES.formEventsRejected]) await stage.channel.purgeQueue(queue);
  });

  it('has the exchange that it describes', async () => {
    const { exchange } = document.channels['formEvents']!.bindings.amqp as { exchange: Record<string, unknown> };
    const { name, type, durable, autoDelete } = exchange;
    await stage.channel.assertExchange(String(name), String(type), { durable: !!durable, autoDelete: !!autoDelete });
  });

  it.each(formEvent.examples!)(
    'accepts the example $name, and hands it over as described',
    async ({ name, payload }) => {
      expect(validator('formEvent/payload')(payload)).toBe('');
      const { idempotency_key: key } = payload;
      const messageId = typeof key === 'string' ? key : name;
      expect(validator('formEvent/x-properties')({ message_id: messageId })).toBe('');
      stage.publish(JSON.stringify(payload), { messageId }, String(payload['event']));
      const { properties, content } = await stage.take(QUEUES.events);
      expect(validator('acceptedEvent/headers')(properties.headers)).toBe('');
      expect(validator('acceptedEvent/payload')(content.toString())).toBe('');
      expect(readEventMessage(properties.headers ?? {}, content).tail.toString()).toContain(
        JSON.stringify(payload['fields']),
      );
    },
  );

  it.each(formEvent['x-rejected-examples']!)('rejects the example $name with the reason $reason', async (example) => {
    if (example.schema === false) expect(validator('formEvent/payload')(JSON.parse(example.text))).not.toBe('');
    const messageId = example.message_id === null ? undefined : 'm-1';
    stage.publish(
      example.text,
      { messageId, contentType: example.content_type ?? 'application/json', headers: example.headers },
      example.routing_key ?? eventIn(example.text),
    );
    const { properties, content } = await stage.take(QUEUES.formEventsRejected);
    expect(validator('rejectedFormEvent/headers')(properties.headers)).toBe('');
    expect(String(properties.headers?.['parked_reason']).split(':')[0]).toBe(example.reason);
    expect(content.toString()).toBe(example.text);
  });

  it('asks config about keys as described', async () => {
    const payload = formEvent.examples![0]!.payload;
    expect((await stage.post(JSON.stringify(payload))).status).toBe(202);
    expect(stage.config.asked.map(validator('askApiKey/payload'))).toEqual(['']);
    const reply = { valid: true, scopes: ['events:write'], expires_at: null };
    expect(validator('askApiKey/x-answer')({ ok: true, reply })).toBe('');
  });
});

/** The event that a text names; another one where it names none. */
const eventIn = (body: string): string => /"event":"([^"]+)"/.exec(body)?.[1] ?? 'submission.created';
