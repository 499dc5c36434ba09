import {
  EVENT_NAMES,
  formatTraceParent,
  TRIGGERS,
  type DeliveryId,
  type EndpointId,
  type EventId,
  type FormId,
  type SubmissionId,
} from '@form-webhooks/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryHeaders, readDeliveryMessage, type DeliveryMessage } from './delivery-message.js';
import { eventHeaders, readEventMessage, type EventMessage } from './event-message.js';
import { UnreadableMessage } from './unreadable-message.js';

const moment = fc.integer({ min: 0, max: Date.parse('9999-12-31T23:59:59Z') });
const count = fc.integer({ min: 0, max: 0x7fff_ffff });
const idWith = <T extends string>(prefix: string) =>
  fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/).map((body) => `${prefix}_${body}` as T);
const trace = fc.constantFrom(
  undefined,
  formatTraceParent({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true }),
  formatTraceParent({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), sampled: false }),
);
const eventMessage: fc.Arbitrary<EventMessage> = fc
  .record({
    event: fc.constantFrom(...EVENT_NAMES),
    eventId: idWith<EventId>('evt'),
    formId: idWith<FormId>('f'),
    submissionId: idWith<SubmissionId>('s'),
    acceptedAt: moment,
    tail: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    trace,
  })
  .map(({ trace, ...rest }) => ({ ...rest, ...(trace !== undefined && { trace }) }));
const deliveryMessage: fc.Arbitrary<DeliveryMessage> = fc
  .tuple(
    eventMessage,
    fc.record({
      deliveryId: idWith<DeliveryId>('dlv'),
      endpointId: idWith<EndpointId>('we'),
      position: fc.record({ generation: count, try: count, deferrals: count }),
      generationStartedAt: moment,
      dueAt: moment,
      trigger: fc.constantFrom(...TRIGGERS),
    }),
  )
  .chain(([event, rest]) =>
    fc
      .tuple(fc.option(fc.string({ minLength: 1 }), { nil: undefined }), fc.boolean())
      .map(([republishedBy, cameBefore]) => ({
        ...event,
        ...rest,
        ...(republishedBy !== undefined && { republishedBy }),
        ...(cameBefore && { cameBefore: true as const }),
      })),
  );

const [{ republishedBy: _republishedBy, cameBefore: _cameBefore, trace: _trace, ...sample }] = fc.sample(
  deliveryMessage,
  1,
) as [DeliveryMessage];

describe('event messages', () => {
  it('of a trace that can not be read are of none, and nothing else changes', () => {
    const headers = { ...eventHeaders(sample), traceparent: '00-nonsense' };
    expect(readEventMessage(headers, sample.tail)).toEqual(readEventMessage(eventHeaders(sample), sample.tail));
  });

  it('come back as they went', () => {
    fc.assert(
      fc.property(eventMessage, (message) => {
        expect(readEventMessage(eventHeaders(message), message.tail)).toEqual(message);
      }),
    );
  });

  it('carry exactly the headers that docs/asyncapi.yaml names, times as RFC 3339', () => {
    expect(Object.keys(eventHeaders(sample))).toEqual([
      'schema_version',
      'event',
      'event_id',
      'form_id',
      'submission_id',
      'accepted_at',
    ]);
    const traced = formatTraceParent({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true });
    expect(eventHeaders({ ...sample, trace: traced })['traceparent']).toBe(traced);
    expect(eventHeaders({ ...sample, acceptedAt: 1 })['accepted_at']).toBe('1970-01-01T00:00:00.001Z');
  });
});

describe('delivery messages', () => {
  it('come back as they went', () => {
    fc.assert(
      fc.property(deliveryMessage, (message) => {
        expect(readDeliveryMessage(deliveryHeaders(message), message.tail)).toEqual(message);
      }),
    );
  });

  it('carry exactly the headers that docs/asyncapi.yaml names', () => {
    expect(Object.keys(deliveryHeaders(sample)).sort()).toEqual(
      [
        'schema_version',
        'event',
        'event_id',
        'delivery_id',
        'endpoint_id',
        'form_id',
        'submission_id',
        'accepted_at',
        'generation',
        'generation_started_at',
        'try',
        'deferrals',
        'due_at',
        'trigger',
      ].sort(),
    );
  });

  it.each(Object.keys(deliveryHeaders(sample)))('are unreadable without %s, and say so', (name) => {
    const { [name]: _left, ...headers } = deliveryHeaders(sample);
    expect(() => readDeliveryMessage(headers, sample.tail)).toThrow(new RegExp(name));
    for (const wrong of [null, '', {}, [], true, 'x\n', { toString: 1 }]) {
      expect(() => readDeliveryMessage({ ...headers, [name]: wrong }, sample.tail)).toThrow(UnreadableMessage);
    }
  });

  it.each<[string, unknown]>([
    ['schema_version', 2],
    ['schema_version', '1'],
    ['event', 'form.deleted'],
    ['event_id', 'dlv_1'],
    ['form_id', 'f_a.b'],
    ['generation', -1],
    ['generation', 1.5],
    ['try', '1'],
    ['deferrals', 2 ** 31],
    ['trigger', 'manual'],
    ['due_at', '2026'],
    ['accepted_at', 'Fri, 27 Nov 2026 12:00:30 GMT'],
    ['generation_started_at', '2026-13-01T00:00:00Z'],
    ['due_at', 1],
  ])('are unreadable with %s %j', (name, value) => {
    expect(() => readDeliveryMessage({ ...deliveryHeaders(sample), [name]: value }, sample.tail)).toThrow(
      UnreadableMessage,
    );
  });

  it('never repeat a value in the complaint', () => {
    const headers = { ...deliveryHeaders(sample), form_id: 'canary secret' };
    expect(() => readDeliveryMessage(headers, sample.tail)).toThrow(/^header form_id does not match/);
  });
});
