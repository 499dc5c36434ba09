import { TO_LOG, type ReviewedMessage, type SafePublisher } from '@form-webhooks/broker';
import {
  logBatchMessage,
  readDeliveryMessage,
  recordOfCancellation,
  UnreadableMessage,
  type DeliveryMessage,
} from '@form-webhooks/messages';

/**
 * Tells the log that an operator discards a parked delivery. Without that its row stays open, and the reconciler takes
 * it for lost and publishes it again. What can't be read is nobody's delivery: there is nothing to tell.
 * @throws PublishFailed: the message has to stay then
 */
export async function recordDiscarded(publisher: SafePublisher, message: ReviewedMessage): Promise<void> {
  const delivery = read(message);
  if (!delivery) return;
  await publisher.publish(TO_LOG, logBatchMessage([recordOfCancellation(delivery, 'discarded', Date.now())]));
}

function read({ headers, body }: ReviewedMessage): DeliveryMessage | undefined {
  try {
    return readDeliveryMessage(headers, body);
  } catch (error) {
    if (error instanceof UnreadableMessage) return undefined;
    throw error;
  }
}
