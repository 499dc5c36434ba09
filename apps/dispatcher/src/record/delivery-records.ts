import { afterDeferral, afterRetry, randomAttemptId, type NextStep, type WaitingCause } from '@form-webhooks/domain';
import {
  deliveryRecordOf,
  type AttemptRecord,
  type DeliveryMessage,
  type DeliveryRecord,
  type EndpointSnapshot,
} from '@form-webhooks/messages';
import type { SentAttempt } from '@form-webhooks/sender';

/*
 * The steps of a delivery, each with the only legal combination of position, state, reason and times. Nobody else
 * writes a delivery's state, but for the operator who discards one: that record is made where both find it.
 */

export { recordOfCancellation } from '@form-webhooks/messages';

/** An attempt that was made, and what follows from it. */
export interface MadeAttempt {
  readonly endpoint: EndpointSnapshot;
  readonly sent: SentAttempt;
  readonly next: NextStep;
}

/** The step after which a delivery is final; a `retry` is recorded by `recordOfRetry`. */
export type FinalStep = Exclude<NextStep, { readonly kind: 'retry' }>;

/** An attempt after which the delivery is final: since the attempt ended, however late that is recorded. */
export const recordOfFinalAttempt = (
  delivery: DeliveryMessage,
  attempt: AttemptRecord,
  next: FinalStep,
): DeliveryRecord =>
  deliveryRecordOf(delivery, {
    position: delivery.position,
    state: next.kind,
    nextAttemptAt: null,
    completedAt: attempt.startedAt + attempt.durationMs,
    reason: next.kind === 'failed' ? next.reason : null,
    attempt,
  });

/** An attempt after which the next one waits until `dueAt`, ms since the epoch. */
export const recordOfRetry = (delivery: DeliveryMessage, attempt: AttemptRecord, dueAt: number): DeliveryRecord =>
  deliveryRecordOf(delivery, {
    ...waitingUntil(dueAt),
    position: afterRetry(delivery.position),
    state: 'retrying',
    attempt,
  });

/** Put off until `dueAt` without an attempt, ms since the epoch. */
export const recordOfDeferral = (delivery: DeliveryMessage, dueAt: number, waitsFor: WaitingCause): DeliveryRecord =>
  deliveryRecordOf(delivery, {
    ...waitingUntil(dueAt),
    position: afterDeferral(delivery.position),
    state: delivery.position.try === 0 ? 'pending' : 'retrying',
    waitsFor,
    attempt: null,
  });

/** Too old to be sent, at this moment, ms since the epoch; no attempt tells why. */
export const recordOfExpiry = (delivery: DeliveryMessage, at: number): DeliveryRecord =>
  deliveryRecordOf(delivery, {
    position: delivery.position,
    state: 'failed',
    nextAttemptAt: null,
    completedAt: at,
    reason: 'expired',
    attempt: null,
  });

/** The attempt as the log keeps it; a new id each time, so it is made once and that record is repeated if need be. */
export const attemptRecordOf = (delivery: DeliveryMessage, { endpoint, sent, next }: MadeAttempt): AttemptRecord => ({
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
  timings: sent.timings,
  resent: sent.resent,
  outcome: next.kind,
});

/** The message of the next try. That the reconciler published this try again says nothing of the next one. */
export function messageOfRetry(delivery: DeliveryMessage, dueAt: number): DeliveryMessage {
  const { republishedBy: _ofThisTry, cameBefore: _ofThisToo, ...next } = delivery;
  return { ...next, position: afterRetry(delivery.position), dueAt };
}

/** The message of the same try, put off once more. */
export const messageOfDeferral = (delivery: DeliveryMessage, dueAt: number): DeliveryMessage => ({
  ...delivery,
  position: afterDeferral(delivery.position),
  dueAt,
});

const waitingUntil = (dueAt: number): Pick<DeliveryRecord, 'reason' | 'nextAttemptAt' | 'completedAt'> => ({
  reason: null,
  nextAttemptAt: dueAt,
  completedAt: null,
});
