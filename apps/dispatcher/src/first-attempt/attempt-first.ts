import { Injectable } from '@nestjs/common';
import { IntakeHold, parkedHeaders, QUEUES, refusedQueueOf, toOwnQueue } from '@form-webhooks/broker';
import { deliveryHeaders, type DeliveryMessage } from '@form-webhooks/messages';
import type { EventArrival } from '../fan-out/event-arrival.js';
import type { FirstAttempts, FirstProgress } from '../fan-out/event-deliveries.js';
import { MessagePublisher } from '../publish/message-publisher.js';
import { AttemptDelivery, type AttemptProgress } from '../attempt/attempt-delivery.js';
import { DeliveryTracker, type SettledOrLeft } from '../attempt/delivery-tracker.js';
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
    private readonly intake: IntakeHold,
  ) {}

  attempt(delivery: DeliveryMessage, arrival: EventArrival, told: FirstProgress): Promise<void> {
    const { endpointId, tail } = delivery;
    const { bulkLane } = arrival;
    const as = bulkLane === undefined ? 'event' : { endpointId, lane: bulkLane, bytes: tail.length };
    return this.turns.during(as, (turn) => this.attemptInTurn(delivery, arrival, told, turn));
  }

  /**
   * It is in flight from now on and not while it waits for its turn: a copy that comes meanwhile is attempted at once,
   * and makes this one settled, or the broker has taken its event back.
   */
  private attemptInTurn(
    delivery: DeliveryMessage,
    arrival: EventArrival,
    told: FirstProgress,
    turn: AttemptProgress,
  ): Promise<void> {
    const attempt = async (): Promise<SettledOrLeft> => {
      // Hundreds have their turn. Those that began while the broker is away would be known to this process alone:
      // ended then, it would leave all of them to be sent a second time.
      if (!(await this.intake.whenWorkMayBegin(arrival))) return 'left';
      told.begins();
      const sent = (): void => {
        told.sent();
        turn.sent();
      };
      return this.attempts.attempt(delivery, { asked: () => turn.asked(), sent });
    };
    return this.tracker.handleOnce(delivery, attempt).catch((error: unknown) => {
      if (!(error instanceof UnsettledAttempt)) throw error;
      return this.park(delivery, error.message);
    });
  }

  /** As a message of its own: its event has other deliveries, and must not come again for this one. */
  private park(delivery: DeliveryMessage, reason: string): Promise<void> {
    const headers = parkedHeaders({ headers: deliveryHeaders(delivery) }, reason);
    return this.publisher.publish(toOwnQueue(refusedQueueOf(QUEUES.deliveries)), { headers, body: delivery.tail });
  }
}
