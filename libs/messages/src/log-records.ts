import type {
  AttemptId,
  AttemptOutcome,
  AttemptTimings,
  DeliveryId,
  DeliveryState,
  EndpointId,
  ErrorCode,
  EventId,
  EventName,
  EventOutcome,
  FormId,
  Position,
  Reason,
  SubmissionId,
  TraceParent,
  Trigger,
  WaitingCause,
} from '@form-webhooks/domain';

/**
 * The log's record of an event: its bytes, once, what became of it, and a pending delivery for each endpoint. One whose
 * outcome was none of the last is recorded again.
 */
export interface EventRecord {
  readonly kind: 'event';
  readonly eventId: EventId;
  readonly event: EventName;
  readonly formId: FormId;
  readonly submissionId: SubmissionId;
  /** All times in a record are ms since the epoch. */
  readonly acceptedAt: number;
  /** The caller's idempotency key, if it gave one. */
  readonly key?: string;
  /** `fanned_out` in what the first release wrote, which recorded nothing else. */
  readonly outcome?: EventOutcome;
  /** When its deliveries were published: since when they are due, however long the event waited before. */
  readonly fannedOutAt: number;
  readonly tail: Buffer;
  /** The span that it follows from, if there is one. */
  readonly trace?: TraceParent;
  readonly deliveries: readonly { readonly deliveryId: DeliveryId; readonly endpointId: EndpointId }[];
}

/** What one step made of a delivery: its position *after* the step, and the attempt if the step was one. */
export interface DeliveryRecord {
  readonly kind: 'delivery';
  readonly deliveryId: DeliveryId;
  readonly eventId: EventId;
  readonly event: EventName;
  readonly formId: FormId;
  readonly submissionId: SubmissionId;
  readonly endpointId: EndpointId;
  readonly acceptedAt: number;
  readonly generationStartedAt: number;
  readonly trigger: Trigger;
  readonly position: Position;
  readonly state: DeliveryState;
  readonly reason: Reason | null;
  /** When the next attempt is due; null once final. */
  readonly nextAttemptAt: number | null;
  /** When the final state was reached; null before. */
  readonly completedAt: number | null;
  /** Why this step put it off; absent if it was an attempt, an end, or of the first release. */
  readonly waitsFor?: WaitingCause | undefined;
  /** The span that its event's fan-out was, if that was traced. */
  readonly trace?: TraceParent | undefined;
  readonly attempt: AttemptRecord | null;
}

/** One try to POST. The body sent is not stored: it is rebuilt from the timestamp and the event's tail. */
export interface AttemptRecord {
  readonly id: AttemptId;
  /** The place in the schedule at which it was made (0 = first). */
  readonly try: number;
  readonly startedAt: number;
  readonly durationMs: number;
  /** The `timestamp` in the body, unix seconds. */
  readonly timestamp: number;
  readonly url: string;
  /** The version of the endpoint whose URL and secrets were used; decides whether a 410 switches it off. */
  readonly endpointVersion: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly response: ResponseRecord | null;
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
  readonly remoteAddress: string | null;
  /** Null if there is none; undefined in what services of before wrote, which did not measure them. */
  readonly timings?: AttemptTimings | null;
  readonly resent: boolean;
  readonly outcome: AttemptOutcome;
}

export interface ResponseRecord {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The first 2 KiB of the body, decoded and made safe for the database. */
  readonly excerpt: string;
  /** The bytes of that beginning in base64, where the excerpt isn't exactly what they say. */
  readonly bytes?: string;
  readonly truncated: boolean;
}

/** The log's record that a fence came out of its queue: what was in that queue before it is recorded, or soon will be. */
export interface FenceRecord {
  readonly kind: 'fence';
  readonly fenceId: string;
  readonly queue: string;
  readonly sentAt: number;
}

/** What tells of a delivery. */
export type DeliveryLogRecord = EventRecord | DeliveryRecord;

export type LogRecord = DeliveryLogRecord | FenceRecord;
