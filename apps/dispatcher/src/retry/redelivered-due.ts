import { TO_DELIVERIES, type IncomingMessage, type SafePublisher } from '@form-webhooks/broker';
import { deliveryHeaders, readDeliveryMessage, UnreadableMessage } from '@form-webhooks/messages';
import type { RetryUntilPublished } from '../intake/retry-until-published.js';

/**
 * `dispatcher.due` is a classic queue and counts no deliveries: a message there that crashes its consumer would come
 * back for ever. One that comes a second time goes on in `dispatcher.deliveries`, where the delivery limit counts.
 */
export class RedeliveredDue {
  constructor(
    private readonly publisher: SafePublisher,
    private readonly confirmed: RetryUntilPublished,
  ) {}

  async move(message: IncomingMessage): Promise<void> {
    const outgoing = { headers: headersOf(message), body: message.body };
    await this.confirmed.untilConfirmed(() => this.publisher.publish(TO_DELIVERIES, outgoing));
  }
}

/** An unreadable one moves too, as it is: it is parked with its reason over there. */
function headersOf({ headers, body }: IncomingMessage): Record<string, string | number> {
  try {
    return deliveryHeaders(readDeliveryMessage(headers, body));
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error;
    return { unreadable: error.message };
  }
}
