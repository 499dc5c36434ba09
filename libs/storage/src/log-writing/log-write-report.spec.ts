import { describe, expect, it } from 'vitest';
import type { DeliveryLogRecord } from '@form-webhooks/messages';
import { oldestMoment } from './log-write-report.js';

const event = { kind: 'event', fannedOutAt: 500 } as DeliveryLogRecord;
const attempt = {
  kind: 'delivery',
  attempt: { startedAt: 300, durationMs: 50 },
  completedAt: 360,
} as DeliveryLogRecord;
const cancellation = { kind: 'delivery', attempt: null, completedAt: 400 } as DeliveryLogRecord;
const deferral = { kind: 'delivery', attempt: null, completedAt: null } as DeliveryLogRecord;

describe('the oldest moment that records tell of', () => {
  it.each([
    ['the fan-out of an event', [event], 500],
    ['the end of an attempt', [event, attempt, cancellation], 350],
    ['a cancellation', [cancellation, event], 400],
    ['nothing in a deferral, which names no moment of its own', [deferral], null],
    ['nothing in no records', [], null],
  ])('is %s', (_, records, expected) => {
    expect(oldestMoment(records)).toBe(expected);
  });
});
