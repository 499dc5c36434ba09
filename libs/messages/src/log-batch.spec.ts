import {
  DELIVERY_STATES,
  EVENT_NAMES,
  TRIGGERS,
  type AttemptId,
  type DeliveryId,
  type EndpointId,
  type EventId,
  type FormId,
  type SubmissionId,
} from '@form-webhooks/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLogBatch, encodeLogBatch } from './log-batch.js';
import type { AttemptRecord, DeliveryRecord, EventRecord, FenceRecord, LogRecord } from './log-records.js';
import { UnreadableMessage } from './unreadable-message.js';

const text = <T extends string>() => fc.string({ unit: 'binary' }).map((value) => Buffer.from(value).toString() as T);
const moment = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const common = {
  eventId: text<EventId>(),
  event: fc.constantFrom(...EVENT_NAMES),
  formId: text<FormId>(),
  submissionId: text<SubmissionId>(),
  acceptedAt: moment,
};
const eventRecord: fc.Arbitrary<EventRecord> = fc.record({
  kind: fc.constant('event' as const),
  ...common,
  fannedOutAt: moment,
  tail: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  deliveries: fc.array(fc.record({ deliveryId: text<DeliveryId>(), endpointId: text<EndpointId>() }), { maxLength: 3 }),
});
const attempt: fc.Arbitrary<AttemptRecord> = fc.record({
  id: text<AttemptId>(),
  try: fc.nat(),
  startedAt: moment,
  durationMs: fc.nat(),
  timestamp: fc.nat(),
  url: text(),
  endpointVersion: fc.nat(),
  requestHeaders: fc.constant({ 'user-agent': 'x' }),
  response: fc.option(
    fc.record({ status: fc.nat(999), headers: fc.constant({}), excerpt: text(), truncated: fc.boolean() }),
  ),
  error: fc.option(fc.record({ code: fc.constant('timeout' as const), message: text() })),
  remoteAddress: fc.option(fc.ipV6()),
  resent: fc.boolean(),
  outcome: fc.constantFrom('delivered' as const, 'retry' as const, 'failed' as const),
});
const deliveryRecord: fc.Arbitrary<DeliveryRecord> = fc.record({
  kind: fc.constant('delivery' as const),
  ...common,
  deliveryId: text<DeliveryId>(),
  endpointId: text<EndpointId>(),
  generationStartedAt: moment,
  trigger: fc.constantFrom(...TRIGGERS),
  position: fc.record({ generation: fc.nat(), try: fc.nat(), deferrals: fc.nat() }),
  state: fc.constantFrom(...DELIVERY_STATES),
  reason: fc.constantFrom(null, 'exhausted' as const),
  nextAttemptAt: fc.option(moment),
  completedAt: fc.option(moment),
  attempt: fc.option(attempt),
});
const fenceRecord: fc.Arbitrary<FenceRecord> = fc.record({
  kind: fc.constant('fence' as const),
  fenceId: fc.string(),
  queue: fc.constantFrom('dispatcher.due', 'dispatcher.deliveries'),
  sentAt: moment,
});
const batch: fc.Arbitrary<LogRecord[]> = fc.array(fc.oneof(eventRecord, deliveryRecord, fenceRecord), { maxLength: 5 });

/** A batch with an index of one's own. */
function withIndex(index: string, rest = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.from(index);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes, rest]);
}

describe('log batches', () => {
  it('come back as they went, tails byte for byte', () => {
    fc.assert(
      fc.property(batch, (records) => {
        expect(decodeLogBatch(encodeLogBatch(records))).toEqual(records);
      }),
    );
  });

  it('are unreadable when cut or lengthened anywhere', () => {
    fc.assert(
      fc.property(batch, fc.nat(), (records, seed) => {
        const bytes = encodeLogBatch(records);
        expect(() => decodeLogBatch(bytes.subarray(0, seed % bytes.length))).toThrow(UnreadableMessage);
        expect(() => decodeLogBatch(Buffer.concat([bytes, Buffer.from('x')]))).toThrow(UnreadableMessage);
      }),
    );
  });

  it.each([
    'null',
    '1',
    '[]',
    '{}',
    '{"schema_version":1}',
    '{"schema_version":2,"records":[]}',
    '{"schema_version":1,"records":{}}',
    '{"schema_version":1,"records":[null]}',
    '{"schema_version":1,"records":[1]}',
    '{"schema_version":1,"records":[{}]}',
    '{"schema_version":1,"records":[{"kind":"other"}]}',
    '{"schema_version":1,"records":[{"kind":"event"}]}',
    '{"schema_version":1,"records":[{"kind":"event","tail_length":-1}]}',
    '{"schema_version":1,"records":[{"kind":"event","tail_length":0.5}]}',
    '{not json',
  ])('are unreadable with the index %s', (index) => {
    expect(() => decodeLogBatch(withIndex(index))).toThrow(UnreadableMessage);
  });

  it('can not take the bytes of one event for those of another', () => {
    const index = '{"schema_version":1,"records":[{"kind":"event","tail_length":-2},{"kind":"event","tail_length":4}]}';
    expect(() => decodeLogBatch(withIndex(index, Buffer.from('ab')))).toThrow(UnreadableMessage);
  });

  it('are read or unreadable, whatever bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(() => decodeLogBatch(Buffer.from(bytes))).toThrow(UnreadableMessage);
      }),
    );
    fc.assert(
      fc.property(fc.json(), (index) => {
        expect(() => decodeLogBatch(withIndex(index))).toThrow(UnreadableMessage);
      }),
    );
  });
});
