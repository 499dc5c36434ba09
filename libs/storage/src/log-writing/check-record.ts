import {
  ATTEMPT_OUTCOMES,
  DELIVERY_ID_PATTERN,
  DELIVERY_STATES,
  ENDPOINT_ID_PATTERN,
  ERROR_CODES,
  EVENT_ID_PATTERN,
  EVENT_NAMES,
  FORM_ID_PATTERN,
  REASONS,
  SUBMISSION_ID_PATTERN,
  TRIGGERS,
} from '@form-webhooks/domain';
import type { AttemptRecord, DeliveryLogRecord, DeliveryRecord, LogRecord, EventRecord } from '@form-webhooks/messages';
import { dayOf, holds, type RetainedDays } from '../database/log-days.js';

const ATTEMPT_ID_PATTERN = /^att_[A-Za-z0-9_-]{1,60}$/;
const MAX_INTEGER = 0x7fff_ffff;
/** The year 9999: RFC 3339 has no later one. */
const MAX_MOMENT = 253_402_300_799_999;

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

function problemOfAttempt(attempt: AttemptRecord): string | null {
  const { response, error } = attempt;
  return (
    fault('attempt.id', matches(attempt.id, ATTEMPT_ID_PATTERN)) ??
    fault('attempt.try', isCount(attempt.try)) ??
    fault('attempt.startedAt', isMoment(attempt.startedAt)) ??
    fault('attempt.durationMs', isNumber(attempt.durationMs, MAX_INTEGER)) ??
    fault('attempt.timestamp', isNumber(attempt.timestamp, MAX_MOMENT / 1_000)) ??
    fault('attempt.url', typeof attempt.url === 'string') ??
    fault('attempt.endpointVersion', isCount(attempt.endpointVersion)) ??
    fault('attempt.requestHeaders', isHeaders(attempt.requestHeaders)) ??
    fault('attempt.remoteAddress', attempt.remoteAddress === null || typeof attempt.remoteAddress === 'string') ??
    fault('attempt.resent', typeof attempt.resent === 'boolean') ??
    fault('attempt.outcome', ATTEMPT_OUTCOMES.includes(attempt.outcome)) ??
    fault('attempt.response', response === null || isResponse(response)) ??
    fault('attempt.error', error === null || (ERROR_CODES.includes(error?.code) && typeof error.message === 'string'))
  );
}

const isResponse = (response: AttemptRecord['response']): boolean =>
  typeof response === 'object' &&
  isNumber(response?.status, 999) &&
  isHeaders(response?.headers) &&
  typeof response?.excerpt === 'string' &&
  typeof response.truncated === 'boolean';

const isHeaders = (headers: unknown): boolean =>
  typeof headers === 'object' && headers !== null && Object.values(headers).every((value) => typeof value === 'string');

const fault = (name: string, valid: boolean): string | null => (valid ? null : `${name} is malformed`);
const matches = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value);
const isCount = (value: unknown): boolean => Number.isInteger(value) && isNumber(value, MAX_INTEGER);
const isNumber = (value: unknown, max: number): boolean => typeof value === 'number' && value >= 0 && value <= max;
const isMoment = (value: unknown): boolean => Number.isInteger(value) && isNumber(value, MAX_MOMENT);
