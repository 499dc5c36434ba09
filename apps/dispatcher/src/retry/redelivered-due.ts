import { Injectable } from '@nestjs/common';
import { ownHeaders, QUEUES, toDeliveries, type IncomingMessage } from '@form-webhooks/broker';
import { deliveryHeaders, readDeliveryMessage, UnreadableMessage } from '@form-webhooks/messages';
import { MessagePublisher } from '../publish/message-publisher.js';

/**
 * `dispatcher.due` is a classic queue and counts no deliveries: a message there that crashes its consumer would come
 * back for ever. One that comes a second time goes on in `dispatcher.deliveries`, where the delivery limit counts.
 */
@Injectable()
export class RedeliveredDue {
  constructor(private readonly publisher: MessagePublisher) {}

  /** Whether `dispatcher.due` handed this message over before. */
  matches({ queue, redelivered }: IncomingMessage): boolean {
    return (queue === QUEUES.due || queue === QUEUES.largeDue) && redelivered;
  }

  async moveToDeliveries(message: IncomingMessage): Promise<void> {
    const to = toDeliveries(message.body.length);
    await this.publisher.publish(to, { headers: headersOf(message), body: message.body });
  }
}

/** An unreadable one moves too, as it is: it is parked with its reason over there, and its ids say what it was. */
function headersOf({ headers, body }: IncomingMessage): Record<string, string | number> {
  try {
    return deliveryHeaders(readDeliveryMessage(headers, body));
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error;
    return { ...ownHeaders(headers), unreadable: error.message };
  }
}
