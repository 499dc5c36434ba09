import { Inject } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import {
  DONE,
  IntakeHold,
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
import { AttemptUnlessFinal } from '../attempt/attempt-unless-final.js';
import { DeliveryTracker, type SettledOrLeft } from '../attempt/delivery-tracker.js';
import { UnsettledAttempt } from '../attempt/settlement.js';
import { FirstTurns } from '../first-attempt/first-turns.js';

/** Deliveries to attempt: new ones, and those whose delay has ended. */
@MessageController()
export class DeliveriesController {
  constructor(
    private readonly attempts: AttemptUnlessFinal,
    private readonly tracker: DeliveryTracker,
    private readonly fences: DeliveryFences,
    private readonly redeliveredDue: RedeliveredDue,
    private readonly work: BeginWork,
    private readonly turns: FirstTurns,
    private readonly intake: IntakeHold,
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
    return this.work.begin(message, () => this.attempt(delivery, message)).catch(parkUnsettled);
  }

  /**
   * What has waited on a delay is attempted at once, since the delay was its turn, and so is a test send, for which
   * somebody waits. Of the others there may be as many as their queue holds.
   */
  private attempt(delivery: DeliveryMessage, message: IncomingMessage): Promise<void> {
    const { attempts, tracker } = this;
    const { redelivered } = message;
    if (hasWaited(delivery) || delivery.trigger === 'test') {
      return tracker.handleOnce(delivery, () => attempts.attempt(delivery, redelivered));
    }
    return this.turns.during('message', (turn) => {
      const attempt = async (): Promise<SettledOrLeft> =>
        (await this.intake.whenWorkMayBegin(message)) ? attempts.attempt(delivery, redelivered, turn) : 'left';
      return tracker.handleOnce(delivery, attempt);
    });
  }

  private async moveOn(message: IncomingMessage): Promise<Verdict> {
    await this.redeliveredDue.moveToDeliveries(message);
    return DONE;
  }
}

/** By whichever queue it comes: delays that many endpoints share end in that of the new ones. */
const hasWaited = ({ position }: DeliveryMessage): boolean => position.try > 0 || position.deferrals > 0;

/** Handed back it would be attempted again: fifty times, and as often from the crashed queue. */
function parkUnsettled(error: unknown): Verdict {
  if (error instanceof UnsettledAttempt) return park(error.message);
  throw error;
}
