import { describe, expect, it } from 'vitest';
import { decodeLogBatch, encodeLogBatch } from './log-batch.js';

/**
 * A batch as the first release wrote it. Services of neighbouring releases run side by side, and batches wait in the
 * broker over an update: a release may write further members, but what is here is read for ever and never edited.
 */
const RELEASED_INDEX = [
  '{"schema_version":1,"records":[',
  '{"event":"submission.created","eventId":"evt_1","formId":"f_1","submissionId":"s_1",',
  '"acceptedAt":1795810757000,"kind":"event","fannedOutAt":1795810757004,',
  '"deliveries":[{"deliveryId":"dlv_1","endpointId":"we_1"}],"tail_length":5},',
  '{"kind":"delivery","deliveryId":"dlv_1","eventId":"evt_1","event":"submission.created","formId":"f_1",',
  '"submissionId":"s_1","endpointId":"we_1","acceptedAt":1795810757000,"generationStartedAt":1795810757000,',
  '"trigger":"event","attempt":{"id":"att_1","try":0,"startedAt":1795810757010,"durationMs":15000,',
  '"timestamp":1795810757,"url":"https://a.example/é","endpointVersion":2,"requestHeaders":{"user-agent":"x"},',
  '"response":null,"error":{"code":"timeout","message":"No answer."},"remoteAddress":null,"resent":false,',
  '"outcome":"retry"},"position":{"generation":0,"try":1,"deferrals":0},"state":"retrying","reason":null,',
  '"nextAttemptAt":1795810782010,"completedAt":null},',
  '{"kind":"delivery","deliveryId":"dlv_1","eventId":"evt_1","event":"submission.created","formId":"f_1",',
  '"submissionId":"s_1","endpointId":"we_1","acceptedAt":1795810757000,"generationStartedAt":1795810757000,',
  '"trigger":"event","attempt":{"id":"att_2","try":1,"startedAt":1795810782012,"durationMs":12,',
  '"timestamp":1795810782,"url":"https://a.example/é","endpointVersion":2,"requestHeaders":{"user-agent":"x"},',
  '"response":{"status":200,"headers":{"x":"\\ud800"},"excerpt":"\\u0000😀","truncated":true},"error":null,',
  '"remoteAddress":"192.0.2.7","resent":true,"outcome":"delivered"},',
  '"position":{"generation":0,"try":1,"deferrals":0},"state":"delivered","nextAttemptAt":null,',
  '"completedAt":1795810782024,"reason":null},',
  '{"kind":"fence","fenceId":"rec_1-due","queue":"dispatcher.due","sentAt":1795810757000}]}',
].join('');
const TAIL = Buffer.from([0, 1, 0xff, 0xfe, 0x7d]);
const RELEASED = Buffer.concat([Buffer.from([0, 0, 0x06, 0xb8]), Buffer.from(RELEASED_INDEX), TAIL]);

const SUBJECT = { eventId: 'evt_1', event: 'submission.created', formId: 'f_1', submissionId: 's_1' };
const TARGET = { deliveryId: 'dlv_1', endpointId: 'we_1' };
const POSITION = { generation: 0, try: 1, deferrals: 0 };
const DELIVERY = {
  kind: 'delivery',
  ...SUBJECT,
  ...TARGET,
  acceptedAt: 1795810757000,
  generationStartedAt: 1795810757000,
  trigger: 'event',
  position: POSITION,
  reason: null,
};

const RECORDS = [
  {
    kind: 'event',
    ...SUBJECT,
    acceptedAt: 1795810757000,
    fannedOutAt: 1795810757004,
    tail: TAIL,
    deliveries: [TARGET],
  },
  {
    ...DELIVERY,
    state: 'retrying',
    nextAttemptAt: 1795810782010,
    completedAt: null,
    attempt: {
      id: 'att_1',
      try: 0,
      startedAt: 1795810757010,
      durationMs: 15_000,
      timestamp: 1795810757,
      url: 'https://a.example/é',
      endpointVersion: 2,
      requestHeaders: { 'user-agent': 'x' },
      response: null,
      error: { code: 'timeout', message: 'No answer.' },
      remoteAddress: null,
      resent: false,
      outcome: 'retry',
    },
  },
  {
    ...DELIVERY,
    state: 'delivered',
    nextAttemptAt: null,
    completedAt: 1795810782024,
    attempt: {
      id: 'att_2',
      try: 1,
      startedAt: 1795810782012,
      durationMs: 12,
      timestamp: 1795810782,
      url: 'https://a.example/é',
      endpointVersion: 2,
      requestHeaders: { 'user-agent': 'x' },
      response: { status: 200, headers: { x: '\ud800' }, excerpt: '\0😀', truncated: true },
      error: null,
      remoteAddress: '192.0.2.7',
      resent: true,
      outcome: 'delivered',
    },
  },
  { kind: 'fence', fenceId: 'rec_1-due', queue: 'dispatcher.due', sentAt: 1795810757000 },
];

describe('a log batch of the first release', () => {
  it('is read as it was meant', () => {
    expect(decodeLogBatch(RELEASED)).toEqual(RECORDS);
  });

  it('is written again byte for byte', () => {
    expect(encodeLogBatch(decodeLogBatch(RELEASED)).equals(RELEASED)).toBe(true);
  });
});
