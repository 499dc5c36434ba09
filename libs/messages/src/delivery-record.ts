import type { CancelledReason } from '@form-webhooks/domain';
import type { DeliveryMessage } from './delivery-message.js';
import type { DeliveryRecord } from './log-records.js';

/** What every record of a delivery says of whose it is. */
export function identityOf(
  delivery: DeliveryMessage,
): Omit<DeliveryRecord, 'position' | 'state' | 'reason' | 'nextAttemptAt' | 'completedAt' | 'attempt'> {
  const { deliveryId, eventId, event, formId, submissionId, endpointId, acceptedAt, generationStartedAt, trigger } =
    delivery;
  const { trace } = delivery;
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
    ...(trace !== undefined && { trace }),
  };
}

/**
 * Given up before an attempt, because its endpoint, form or submission is no more, or a person discarded it.
 * @param at since when, ms since the epoch
 */
export const recordOfCancellation = (
  delivery: DeliveryMessage,
  reason: CancelledReason,
  at: number,
): DeliveryRecord => ({
  ...identityOf(delivery),
  position: delivery.position,
  state: 'cancelled',
  nextAttemptAt: null,
  completedAt: at,
  reason,
  attempt: null,
});
