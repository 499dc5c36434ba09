import { Inject } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import {
  DONE,
  MessageController,
  park,
  QUEUES,
  RetryQueues,
  type IncomingMessage,
  type Verdict,
} from '@form-webhooks/broker';
import { isFence, readDeliveryMessage, UnreadableMessage, type DeliveryMessage } from '@form-webhooks/messages';
import { BeginWork } from '../intake/begin-work.js';
import { DeliveryFences } from '../retry/delivery-fences.js';
import { RedeliveredDue } from '../retry/redelivered-due.js';
import { AttemptUnlessFinal } from './attempt-unless-final.js';
import { DeliveryTracker, type SettledOrDeferred } from './delivery-tracker.js';
import { UnsettledAttempt } from './settlement.js';

/** Deliveries to attempt: new ones, and those whose delay has ended. */
@MessageController()
export class DeliveriesController {
  constructor(
    private readonly attempts: AttemptUnlessFinal,
    private readonly tracker: DeliveryTracker,
    private readonly fences: DeliveryFences,
    private readonly redeliveredDue: RedeliveredDue,
    private readonly work: BeginWork,
    @Inject(RetryQueues) private readonly delays: Pick<RetryQueues, 'noteArrival'>,
  ) {}

  @EventPattern<readonly string[]>([QUEUES.deliveries, QUEUES.largeDeliveries, QUEUES.due, QUEUES.largeDue])
  async handle(message: IncomingMessage): Promise<Verdict> {
    let delivery: DeliveryMessage;
    try {
      if (isFence(message.headers)) return await this.fences.pass(message);
      if (this.redeliveredDue.matches(message)) return await this.moveOn(message);
      delivery = readDeliveryMessage(message.headers, message.body);
    } catch (error) {
      if (error instanceof UnreadableMessage) return park(error.message);
      throw error;
    }
    this.delays.noteArrival({ headers: message.headers, wasLost: delivery.republishedBy !== undefined });
    const attempt = (): Promise<SettledOrDeferred> => this.attempts.attempt(delivery, message.redelivered);
    return this.work.begin(message, () => this.tracker.handleOnce(delivery, attempt)).catch(parkUnsettled);
  }

  private async moveOn(message: IncomingMessage): Promise<Verdict> {
    await this.redeliveredDue.moveToDeliveries(message);
    return DONE;
  }
}

/** Handed back it would be attempted again: fifty times, and as often from the crashed queue. */
function parkUnsettled(error: unknown): Verdict {
  if (error instanceof UnsettledAttempt) return park(error.message);
  throw error;
}
