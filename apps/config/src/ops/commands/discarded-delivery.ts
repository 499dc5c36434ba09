import { TO_LOG, type ReviewedMessage, type SafePublisher } from '@form-webhooks/broker';
import {
  logBatchMessage,
  readDeliveryMessage,
  UnreadableMessage,
  type DeliveryMessage,
  type DeliveryRecord,
} from '@form-webhooks/messages';

/**
 * Tells the log that an operator discards a parked delivery. Without that its row stays open, and the reconciler takes
 * it for lost and publishes it again. What can't be read is nobody's delivery: there is nothing to tell.
 * @throws PublishFailed: the message has to stay then
 */
export async function recordDiscarded(publisher: SafePublisher, message: ReviewedMessage): Promise<void> {
  const delivery = read(message);
  if (!delivery) return;
  await publisher.publish(TO_LOG, logBatchMessage([recordOfDiscard(delivery, Date.now())]));
}

/** Its end where it stands, without an attempt. */
function recordOfDiscard(delivery: DeliveryMessage, at: number): DeliveryRecord {
  const { deliveryId, eventId, event, formId, submissionId, endpointId } = delivery;
  const { acceptedAt, generationStartedAt, trigger, position } = delivery;
  return {
    ...{ kind: 'delivery', deliveryId, eventId, event, formId, submissionId, endpointId },
    ...{ acceptedAt, generationStartedAt, trigger, position },
    ...{ state: 'cancelled', reason: 'discarded', nextAttemptAt: null, completedAt: at, attempt: null },
  };
}

function read({ headers, body }: ReviewedMessage): DeliveryMessage | undefined {
  try {
    return readDeliveryMessage(headers, body);
  } catch (error) {
    if (error instanceof UnreadableMessage) return undefined;
    throw error;
  }
}
