import {
  EVENT_ID_PATTERN,
  EVENT_NAMES,
  FORM_ID_PATTERN,
  IDEMPOTENCY_KEY_PATTERN,
  readTraceParent,
  rfc3339,
  SUBMISSION_ID_PATTERN,
  type EventId,
  type EventName,
  type FormId,
  type SubmissionId,
  type TraceParent,
} from '@form-webhooks/domain';
import { HeaderReader, type Headers } from './headers.js';
import { SCHEMA_VERSION } from './schema-version.js';

const KEY_HEADER = 'idempotency_key';
/** By W3C Trace Context's own name, as brokers and libraries of others look for it. */
const TRACE_HEADER = 'traceparent';

/** What every message about an event carries; the body is the envelope's tail. */
export interface CarriedEvent {
  readonly event: EventName;
  readonly eventId: EventId;
  readonly formId: FormId;
  readonly submissionId: SubmissionId;
  /** When ingest accepted it, ms since the epoch. */
  readonly acceptedAt: number;
  readonly tail: Buffer;
  /** The span that it follows from, if its caller or an operator traces. */
  readonly trace?: TraceParent | undefined;
}

/** An accepted event on its way from ingest to a dispatcher. */
export interface EventMessage extends CarriedEvent {
  /** The caller's idempotency key, if it gave one; only then the event can come again. */
  readonly key?: string;
}

export function eventHeaders(message: EventMessage): Record<string, string | number> {
  return {
    ...carriedHeaders(message),
    ...(message.key !== undefined && { [KEY_HEADER]: message.key }),
  };
}

/** @throws UnreadableMessage */
export function readEventMessage(headers: Headers, body: Buffer): EventMessage {
  const read = new HeaderReader(headers);
  return {
    ...readCarriedEvent(headers, body),
    ...(headers[KEY_HEADER] !== undefined && { key: read.matching(KEY_HEADER, IDEMPOTENCY_KEY_PATTERN) }),
  };
}

export function carriedHeaders(message: CarriedEvent): Record<string, string | number> {
  return {
    schema_version: SCHEMA_VERSION,
    event: message.event,
    event_id: message.eventId,
    form_id: message.formId,
    submission_id: message.submissionId,
    accepted_at: rfc3339(message.acceptedAt),
    ...(message.trace !== undefined && { [TRACE_HEADER]: message.trace }),
  };
}

/** @throws UnreadableMessage */
export function readCarriedEvent(headers: Headers, body: Buffer): CarriedEvent {
  const read = new HeaderReader(headers);
  const trace = readTraceParent(headers[TRACE_HEADER]);
  return {
    event: read.oneOf<EventName>('event', EVENT_NAMES),
    eventId: read.matching<EventId>('event_id', EVENT_ID_PATTERN),
    formId: read.matching<FormId>('form_id', FORM_ID_PATTERN),
    submissionId: read.matching<SubmissionId>('submission_id', SUBMISSION_ID_PATTERN),
    acceptedAt: read.moment('accepted_at'),
    tail: body,
    ...(trace !== undefined && { trace }),
  };
}
