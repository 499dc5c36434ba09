import { describe, expect, it } from 'vitest';
import { decodeConfigChange } from './config-change.js';
import { readDeliveryMessage } from './delivery-message.js';
import { readEventMessage } from './event-message.js';
import { isFence, readFenceMessage } from './fence-message.js';
import { UnreadableMessage } from './unreadable-message.js';

/*
 * Messages as releases wrote them, each under the first one that wrote it so. Services of neighbouring releases run side
 * by side, and messages wait in the broker over an update: whatever is here is read for ever and never edited. A batch
 * of the log: `released-log-batch.spec.ts`. RPC answers: `apps/dispatcher/src/endpoints/released-answers.spec.ts`.
 */

const TAIL = Buffer.from('"form_id":"f_1","submission_id":"s_1","fields":{"n":1.0},"meta":{}}');
const EVENT = {
  schema_version: 1,
  event: 'submission.created',
  event_id: 'evt_0123456789abcdefghijkl',
  form_id: 'f_1',
  submission_id: 's_1',
  accepted_at: '2026-11-27T20:59:17.000Z',
};
const DELIVERY = {
  ...EVENT,
  delivery_id: 'dlv_0123456789abcdefghijkl',
  endpoint_id: 'we_0123456789abcdefghijkl',
  generation: 0,
  generation_started_at: '2026-11-27T20:59:17.000Z',
  try: 3,
  deferrals: 1,
  due_at: '2026-11-27T21:04:02.512Z',
  trigger: 'event',
};
const FENCE = {
  schema_version: 1,
  fence_id: 'rec_0123456789abcdefghijkl-due',
  fence_queue: 'dispatcher.due',
  sent_at: '2026-11-27T20:59:17.000Z',
};

const READ_EVENT = {
  event: 'submission.created',
  eventId: 'evt_0123456789abcdefghijkl',
  formId: 'f_1',
  submissionId: 's_1',
  acceptedAt: Date.UTC(2026, 10, 27, 20, 59, 17),
  tail: TAIL,
};
const READ_DELIVERY = {
  ...READ_EVENT,
  deliveryId: 'dlv_0123456789abcdefghijkl',
  endpointId: 'we_0123456789abcdefghijkl',
  position: { generation: 0, try: 3, deferrals: 1 },
  generationStartedAt: Date.UTC(2026, 10, 27, 20, 59, 17),
  dueAt: Date.UTC(2026, 10, 27, 21, 4, 2, 512),
  trigger: 'event',
};

/** What a release to come may add, and the broker itself. */
const LATER = { a_header_to_come: 'x', another: 7, 'x-delivery-count': 2, 'x-acquired-count': 3, waits: 4 };

describe('an event of', () => {
  it.each([
    ['the first release', EVENT, READ_EVENT],
    ['the release with keys', { ...EVENT, idempotency_key: 'k:1' }, { ...READ_EVENT, key: 'k:1' }],
  ])('%s is read as it was meant, whatever else it carries', (_, headers, expected) => {
    expect(readEventMessage(headers, TAIL)).toEqual(expected);
    expect(readEventMessage({ ...headers, ...LATER }, TAIL)).toEqual(expected);
  });
});

describe('a delivery of', () => {
  it.each([
    ['the first release', {}, {}],
    ['the release with a reconciler', { republished_by: 'rec_1' }, { republishedBy: 'rec_1' }],
    ['the release that attempts from the event', { came_before: 1 }, { cameBefore: true }],
  ])('%s is read as it was meant, whatever else it carries', (_, headers, expected) => {
    expect(readDeliveryMessage({ ...DELIVERY, ...headers }, TAIL)).toEqual({ ...READ_DELIVERY, ...expected });
    const later = { ...DELIVERY, ...headers, ...LATER };
    expect(readDeliveryMessage(later, TAIL)).toEqual({ ...READ_DELIVERY, ...expected });
  });
});

describe('a fence of', () => {
  it('the first release that had them is read as it was meant, whatever else it carries', () => {
    const expected = { fenceId: FENCE.fence_id, queue: 'dispatcher.due', sentAt: READ_EVENT.acceptedAt };
    expect(isFence(FENCE)).toBe(true);
    expect(readFenceMessage(FENCE)).toEqual(expected);
    expect(readFenceMessage({ ...FENCE, ...LATER })).toEqual(expected);
  });

  it('any release is parked by a dispatcher that had none yet: it takes it for a delivery that lacks everything', () => {
    expect(() => readDeliveryMessage(FENCE, Buffer.alloc(0))).toThrow(UnreadableMessage);
  });
});

describe('a notice of', () => {
  it.each([
    ['{"schema_version":1,"kind":"form","form_id":"f_1"}', { kind: 'form', form_id: 'f_1' }],
    ['{"schema_version":1,"kind":"api_key","key_id":"key_1"}', { kind: 'api_key', key_id: 'key_1' }],
  ])('the first release is read as it was meant, whatever else it carries: %s', (text, expected) => {
    expect(decodeConfigChange(Buffer.from(text))).toEqual(expected);
    expect(decodeConfigChange(Buffer.from(text.replace('{', '{"to_come":{"a":[1]},')))).toEqual(expected);
  });
});
