import { Controller } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { DONE, IntakeHold, park, QUEUES, type IncomingMessage, type Verdict } from '@form-webhooks/broker';
import { readDeliveryMessage, UnreadableMessage, type DeliveryMessage } from '@form-webhooks/messages';
import { AttemptDelivery } from './attempt-delivery.js';
import { DeliveryTracker } from './delivery-tracker.js';
import { InFlightBytes } from '../intake/in-flight-bytes.js';
import { SideMessages } from '../record/side-messages.js';

/** Deliveries to attempt: new ones, and those whose delay has ended. */
@Controller()
export class DeliveriesController {
  constructor(
    private readonly attempts: AttemptDelivery,
    private readonly tracker: DeliveryTracker,
    private readonly sideMessages: SideMessages,
    private readonly inFlightBytes: InFlightBytes,
    private readonly intake: IntakeHold,
  ) {}

  @EventPattern<string>(QUEUES.deliveries)
  handleNew(message: IncomingMessage): Promise<Verdict> {
    return this.handle(message);
  }

  @EventPattern<string>(QUEUES.due)
  handleDue(message: IncomingMessage): Promise<Verdict> {
    return this.handle(message);
  }

  private async handle(message: IncomingMessage): Promise<Verdict> {
    let delivery: DeliveryMessage;
    try {
      if (await this.sideMessages.settle(message)) return DONE;
      delivery = readDeliveryMessage(message.headers, message.body);
    } catch (error) {
      if (error instanceof UnreadableMessage) return park(error.message);
      throw error;
    }
    return this.inFlightBytes.during(message.body.length, async () => {
      // What came back to the broker while it waited here is attempted by whoever got it then.
      if (!(await this.intake.whenWorkMayBegin(message))) return DONE;
      await this.tracker.once(delivery, () => this.attempts.attempt(delivery));
      return DONE;
    });
  }
}
