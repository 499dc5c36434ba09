import { Injectable } from '@nestjs/common';
import { QUEUES, refusedQueueOf, toOwnQueue } from '@form-webhooks/broker';
import { deliveryHeaders, type DeliveryMessage } from '@form-webhooks/messages';
import type { FirstAttempts } from '../fan-out/fan-out.js';
import { MessagePublisher } from '../publish/message-publisher.js';
import { AttemptDelivery } from '../attempt/attempt-delivery.js';
import { DeliveryTracker, type SettledOrDeferred } from '../attempt/delivery-tracker.js';
import { FirstTurns } from './first-turns.js';
import { UnsettledAttempt } from '../attempt/settlement.js';

/** First attempts straight from an event's message, which is held by whoever calls. */
@Injectable()
export class AttemptFirst implements FirstAttempts {
  constructor(
    private readonly attempts: AttemptDelivery,
    private readonly tracker: DeliveryTracker,
    private readonly publisher: MessagePublisher,
    private readonly turns: FirstTurns,
  ) {}

  async attempt(delivery: DeliveryMessage, bulkLane: string | undefined, begins: () => void): Promise<void> {
    const { endpointId, tail } = delivery;
    const bulk = bulkLane === undefined ? undefined : { endpointId, lane: bulkLane, bytes: tail.length };
    const attempt = (asked: () => void): Promise<SettledOrDeferred> => {
      begins();
      return this.attempts.attempt(delivery, asked);
    };
    try {
      await this.tracker.handleOnce(delivery, () => this.turns.during(bulk, attempt));
    } catch (error) {
      if (!(error instanceof UnsettledAttempt)) throw error;
      await this.park(delivery, error.message);
    }
  }

  /** As a message of its own: its event has other deliveries, and must not come again for this one. */
  private park(delivery: DeliveryMessage, reason: string): Promise<void> {
    const headers = { ...deliveryHeaders(delivery), parked_reason: reason };
    return this.publisher.publish(toOwnQueue(refusedQueueOf(QUEUES.deliveries)), { headers, body: delivery.tail });
  }
}
