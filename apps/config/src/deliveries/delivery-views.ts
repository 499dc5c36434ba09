import { rfc3339, sealEnvelope } from '@form-webhooks/domain';
import type {
  AttemptDto,
  AttemptRequestDto,
  AttemptTimingsDto,
  DeliveryDetailDto,
  DeliveryDto,
} from '@form-webhooks/http-api';
import { shownOf, timingsIn, type DeliveryRow, type ShownAttempt, type StoredAttempt } from '@form-webhooks/storage';
import { curlLine } from './curl-line.js';

/**
 * Bodies of attempts that a delivery's answer carries at most, the newest first: beside the payload it has no other large
 * text, however often the delivery was attempted. Each attempt alone has its body.
 */
const MAX_BODY_BYTES = 128 * 1024;

/** A delivery as lists show it. */
export function showDelivery({ identity, standing, lastAttempt, ...row }: DeliveryRow): DeliveryDto {
  return {
    delivery_id: identity.deliveryId,
    event_id: identity.eventId,
    event: identity.event,
    form_id: identity.formId,
    submission_id: identity.submissionId,
    endpoint_id: identity.endpointId,
    state: standing.state,
    reason: standing.reason,
    generation: standing.position.generation,
    attempt_count: row.attemptCount,
    accepted_at: rfc3339(row.acceptedAt),
    next_attempt_at: standing.nextAttemptAt === null ? null : rfc3339(standing.nextAttemptAt),
    completed_at: standing.completedAt === null ? null : rfc3339(standing.completedAt),
    waits_for: standing.waitsFor,
    trigger: standing.trigger,
    last_response_status: lastAttempt?.status ?? null,
    last_error: lastAttempt?.error ?? null,
  };
}

export interface DeliveryParts {
  readonly delivery: DeliveryRow;
  readonly attempts: readonly StoredAttempt[];
  /** Null if it was erased, is not there yet, or the caller may not see it. */
  readonly tail: Buffer | null;
  /** The caller may read payloads and what receivers answered. */
  readonly withPayload: boolean;
}

/** A delivery with its attempts; the bodies are rebuilt from each attempt's timestamp and the event's bytes. */
export function showDetail({ delivery, attempts, tail, withPayload }: DeliveryParts): DeliveryDetailDto {
  const withBody = tail === null ? 0 : Math.floor(MAX_BODY_BYTES / tail.length);
  const firstWithBody = attempts.length - withBody;
  return {
    ...showDelivery(delivery),
    payload: tail && payloadOf(delivery, tail),
    attempts: attempts.map((attempt, index) => ({
      ...withoutRequest(attempt, withPayload),
      request: showRequest(attempt, tail && index >= firstWithBody ? bodyOf(delivery, attempt, tail) : null),
    })),
  };
}

/** One attempt, always with its body. */
export const showAttempt = ({ delivery, tail, withPayload }: DeliveryParts, attempt: StoredAttempt): AttemptDto => ({
  ...withoutRequest(attempt, withPayload),
  request: showRequest(attempt, tail && bodyOf(delivery, attempt, tail)),
});

const showRequest = (attempt: StoredAttempt, body: string | null): AttemptRequestDto => ({
  method: 'POST',
  url: attempt.url,
  headers: attempt.request_headers,
  body,
  curl: body === null ? null : curlLine(attempt.url, attempt.request_headers, body),
});

function withoutRequest(attempt: StoredAttempt, withPayload: boolean): Omit<AttemptDto, 'request'> {
  return {
    id: attempt.attempt_id,
    number: attempt.number,
    generation: attempt.generation,
    started_at: rfc3339(attempt.started_at),
    duration_ms: attempt.duration_ms,
    timings: showTimings(attempt),
    response:
      attempt.response_status === null
        ? null
        : {
            status: attempt.response_status,
            headers: attempt.response_headers ?? {},
            excerpt: withPayload ? attempt.response_excerpt : null,
            excerpt_base64: withPayload ? attempt.response_bytes : null,
            truncated: attempt.response_truncated ?? false,
          },
    error: attempt.error_code === null ? null : { code: attempt.error_code, message: attempt.error_message ?? '' },
    ...(shownOf(attempt) satisfies Pick<AttemptDto, keyof ShownAttempt>),
  };
}

function showTimings(attempt: StoredAttempt): AttemptTimingsDto | null {
  const timings = timingsIn(attempt);
  return (
    timings && {
      dns_ms: timings.dnsMs,
      connect_ms: timings.connectMs,
      tls_ms: timings.tlsMs,
      first_byte_ms: timings.firstByteMs,
    }
  );
}

const bodyOf = ({ identity }: DeliveryRow, attempt: StoredAttempt, tail: Buffer): string =>
  sealEnvelope(identity.event, identity.deliveryId, attempt.body_timestamp, tail).toString('utf8');

const payloadOf = ({ identity }: DeliveryRow, tail: Buffer): string =>
  `{"event":"${identity.event}","delivery_id":"${identity.deliveryId}",${tail.toString('utf8')}`;
