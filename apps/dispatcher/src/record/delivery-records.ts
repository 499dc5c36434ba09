import {
  afterDeferral,
  afterRetry,
  randomAttemptId,
  type AttemptOutcome,
  type CancelledReason,
  type DeliveryState,
  type NextStep,
} from '@form-webhooks/domain';
import type { AttemptRecord, DeliveryMessage, DeliveryRecord, EndpointSnapshot } from '@form-webhooks/messages';
import type { SentAttempt } from '@form-webhooks/sender';

/*
 * The steps of a delivery, each with the only legal combination of position, state, reason and times. Nobody else
 * writes a delivery's state.
 */

/** An attempt that was made, and what follows from it. */
export function attempted(
  delivery: DeliveryMessage,
  attempt: AttemptRecord,
  next: NextStep,
  at: { readonly finishedAt: number; readonly dueAt: number },
): DeliveryRecord {
  const base = { ...identityOf(delivery), attempt };
  switch (next.kind) {
    case 'delivered':
      return { ...base, ...finalAt(delivery, 'delivered', at.finishedAt), reason: null };
    case 'failed':
      return { ...base, ...finalAt(delivery, 'failed', at.finishedAt), reason: next.reason };
    case 'retry':
      return {
        ...base,
        position: afterRetry(delivery.position),
        state: 'retrying',
        reason: null,
        nextAttemptAt: at.dueAt,
        completedAt: null,
      };
  }
}

/** Put off without an attempt. */
export const deferred = (delivery: DeliveryMessage, dueAt: number): DeliveryRecord => ({
  ...identityOf(delivery),
  position: afterDeferral(delivery.position),
  state: delivery.position.try === 0 ? 'pending' : 'retrying',
  reason: null,
  nextAttemptAt: dueAt,
  completedAt: null,
  attempt: null,
});

/** Given up before an attempt, because its endpoint, form or submission is no more, or a person discarded it. */
export const cancelled = (delivery: DeliveryMessage, reason: CancelledReason, at: number): DeliveryRecord => ({
  ...identityOf(delivery),
  ...finalAt(delivery, 'cancelled', at),
  reason,
  attempt: null,
});

export function attemptRecord(
  delivery: DeliveryMessage,
  endpoint: EndpointSnapshot,
  sent: SentAttempt,
  next: NextStep,
): AttemptRecord {
  return {
    id: randomAttemptId(),
    try: delivery.position.try,
    startedAt: sent.startedAt,
    durationMs: sent.durationMs,
    timestamp: sent.timestamp,
    url: endpoint.url,
    endpointVersion: endpoint.version,
    requestHeaders: sent.requestHeaders,
    response: sent.response,
    error: sent.error,
    remoteAddress: sent.remoteAddress,
    resent: sent.resent,
    outcome: outcomeOf(next),
  };
}

/** The message of the next try, or of the same try put off once more. */
export function retryMessage(delivery: DeliveryMessage, dueAt: number): DeliveryMessage {
  const { republishedBy: _ofThisTry, ...next } = delivery;
  return { ...next, position: afterRetry(delivery.position), dueAt };
}

export const deferralMessage = (delivery: DeliveryMessage, dueAt: number): DeliveryMessage => ({
  ...delivery,
  position: afterDeferral(delivery.position),
  dueAt,
});

const outcomeOf = (next: NextStep): AttemptOutcome => next.kind;

function finalAt(
  { position }: DeliveryMessage,
  state: DeliveryState,
  at: number,
): Pick<DeliveryRecord, 'position' | 'state' | 'nextAttemptAt' | 'completedAt'> {
  return { position, state, nextAttemptAt: null, completedAt: at };
}

function identityOf(
  delivery: DeliveryMessage,
): Omit<DeliveryRecord, 'position' | 'state' | 'reason' | 'nextAttemptAt' | 'completedAt' | 'attempt'> {
  const { deliveryId, eventId, event, formId, submissionId, endpointId, acceptedAt, generationStartedAt, trigger } =
    delivery;
  return {
    kind: 'delivery',
    deliveryId,
    eventId,
    event,
    formId,
    submissionId,
    endpointId,
    acceptedAt,
    generationStartedAt,
    trigger,
  };
}
