import {
  DELIVERY_ID_PATTERN,
  DELIVERY_STATES,
  ENDPOINT_ID_PATTERN,
  EVENT_ID_PATTERN,
  EVENT_NAMES,
  EVENT_OUTCOMES,
  FORM_ID_PATTERN,
  IDEMPOTENCY_KEY_PATTERN,
  isMoment,
  REASONS,
  SUBMISSION_ID_PATTERN,
  TRIGGERS,
  WAITING_CAUSES,
} from '@form-webhooks/domain';
import type { AttemptRecord, DeliveryLogRecord, DeliveryRecord, LogRecord, EventRecord } from '@form-webhooks/messages';
import { dayOf, holds, type RetainedDays } from '../database/log-days.js';
import { ATTEMPT_CHECKS } from '../log-tables/attempts-table.js';
import { fault, isCount, matches, type ValueCheck } from '../log-tables/value-checks.js';

/** What keeps a record out of the log whatever the database does; null if nothing does. The sentence names no value. */
export function problemOf(record: LogRecord, retained: RetainedDays): string | null {
  switch (record.kind) {
    case 'event':
      return problemOfEvent(record) ?? problemOfDay(record.acceptedAt, retained);
    case 'delivery':
      return problemOfDelivery(record) ?? problemOfDay(record.acceptedAt, retained);
    case 'fence':
      return fault('fenceId', typeof record.fenceId === 'string') ?? fault('sentAt', isMoment(record.sentAt));
    default:
      return 'kind is unknown';
  }
}

function problemOfDay(acceptedAt: number, retained: RetainedDays): string | null {
  const day = dayOf(acceptedAt);
  return holds(retained, day) ? null : `accepted on ${day}; the log holds ${retained.first} to ${retained.last}`;
}

function problemOfEvent(record: Extract<DeliveryLogRecord, { kind: 'event' }>): string | null {
  const problem = problemOfSubject(record);
  if (problem) return problem;
  if (!isMoment(record.fannedOutAt)) return 'fannedOutAt is malformed';
  if (record.outcome !== undefined && !EVENT_OUTCOMES.includes(record.outcome)) return 'outcome is malformed';
  if (record.key !== undefined && !matches(record.key, IDEMPOTENCY_KEY_PATTERN)) return 'key is malformed';
  if (!Buffer.isBuffer(record.tail)) return 'tail is missing';
  if (!Array.isArray(record.deliveries)) return 'deliveries is no list';
  for (const delivery of record.deliveries as EventRecord['deliveries']) {
    if (!matches(delivery.deliveryId, DELIVERY_ID_PATTERN)) return 'deliveries[].deliveryId is malformed';
    if (!matches(delivery.endpointId, ENDPOINT_ID_PATTERN)) return 'deliveries[].endpointId is malformed';
  }
  return null;
}

function problemOfDelivery(record: DeliveryRecord): string | null {
  const { position, attempt } = record;
  return (
    problemOfSubject(record) ??
    fault('deliveryId', matches(record.deliveryId, DELIVERY_ID_PATTERN)) ??
    fault('endpointId', matches(record.endpointId, ENDPOINT_ID_PATTERN)) ??
    fault('generationStartedAt', isMoment(record.generationStartedAt)) ??
    fault('trigger', TRIGGERS.includes(record.trigger)) ??
    fault('position', [position?.generation, position?.try, position?.deferrals].every(isCount)) ??
    fault('state', DELIVERY_STATES.includes(record.state)) ??
    fault('reason', record.reason === null || REASONS.includes(record.reason)) ??
    fault('nextAttemptAt', record.nextAttemptAt === null || isMoment(record.nextAttemptAt)) ??
    fault('completedAt', record.completedAt === null || isMoment(record.completedAt)) ??
    fault('waitsFor', record.waitsFor === undefined || WAITING_CAUSES.includes(record.waitsFor)) ??
    fault('attempt', attempt !== undefined) ??
    (attempt === null ? null : problemOfAttempt(attempt))
  );
}

function problemOfSubject(record: DeliveryLogRecord): string | null {
  return (
    fault('eventId', matches(record.eventId, EVENT_ID_PATTERN)) ??
    fault('event', EVENT_NAMES.includes(record.event)) ??
    fault('formId', matches(record.formId, FORM_ID_PATTERN)) ??
    fault('submissionId', matches(record.submissionId, SUBMISSION_ID_PATTERN)) ??
    fault('acceptedAt', isMoment(record.acceptedAt))
  );
}

const CHECKS_OF_ATTEMPTS = Object.entries(ATTEMPT_CHECKS) as [keyof AttemptRecord, ValueCheck][];

function problemOfAttempt(attempt: AttemptRecord): string | null {
  for (const [member, isSound] of CHECKS_OF_ATTEMPTS) {
    if (!isSound(attempt[member])) return `attempt.${member} is malformed`;
  }
  return null;
}
