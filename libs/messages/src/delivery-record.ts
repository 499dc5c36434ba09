import type { CancelledReason } from '@form-webhooks/domain';
import type { DeliveryMessage } from './delivery-message.js';
import type { DeliveryRecord } from './log-records.js';

/** What a step makes of a delivery. */
export type DeliveryStep = Pick<
  DeliveryRecord,
  'position' | 'state' | 'reason' | 'nextAttemptAt' | 'completedAt' | 'waitsFor' | 'attempt'
>;

/**
 * The record of a step, with whose it is. Each member by its name: an object that is put together from others takes
 * several times the memory while it is made, and there is one of these for each attempt.
 */
export const deliveryRecordOf = (delivery: DeliveryMessage, step: DeliveryStep): DeliveryRecord => ({
  kind: 'delivery',
  deliveryId: delivery.deliveryId,
  eventId: delivery.eventId,
  event: delivery.event,
  formId: delivery.formId,
  submissionId: delivery.submissionId,
  endpointId: delivery.endpointId,
  acceptedAt: delivery.acceptedAt,
  generationStartedAt: delivery.generationStartedAt,
  trigger: delivery.trigger,
  trace: delivery.trace,
  position: step.position,
  state: step.state,
  nextAttemptAt: step.nextAttemptAt,
  completedAt: step.completedAt,
  reason: step.reason,
  waitsFor: step.waitsFor,
  attempt: step.attempt,
});

/**
 * Given up before an attempt, because its endpoint, form or submission is no more, or a person discarded it.
 * @param at since when, ms since the epoch
 */
export const recordOfCancellation = (delivery: DeliveryMessage, reason: CancelledReason, at: number): DeliveryRecord =>
  deliveryRecordOf(delivery, {
    position: delivery.position,
    state: 'cancelled',
    nextAttemptAt: null,
    completedAt: at,
    reason,
    attempt: null,
  });
