import { Controller } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { DONE, IntakeHold, park, QUEUES, type IncomingMessage, type Verdict } from '@form-webhooks/broker';
import { readEventMessage, UnreadableMessage, type EventMessage } from '@form-webhooks/messages';
import { FanOut } from './fan-out.js';
import { FanOutReport } from './fan-out-report.js';
import { InFlightBytes } from '../intake/in-flight-bytes.js';

/** Accepted events, from ingest. */
@Controller()
export class EventsController {
  constructor(
    private readonly fanOut: FanOut,
    private readonly report: FanOutReport,
    private readonly inFlightBytes: InFlightBytes,
    private readonly intake: IntakeHold,
  ) {}

  @EventPattern<string>(QUEUES.events)
  async handle(message: IncomingMessage): Promise<Verdict> {
    let event: EventMessage;
    try {
      event = readEventMessage(message.headers, message.body);
    } catch (error) {
      if (error instanceof UnreadableMessage) return park(error.message);
      throw error;
    }
    return this.inFlightBytes.during(message.body.length, async () => {
      // What came back to the broker while it waited here is fanned out by whoever got it then.
      if (!(await this.intake.whenWorkMayBegin(message))) return DONE;
      const waits = message.headers['waits'];
      this.report.fannedOut(event, await this.fanOut.fanOut(event, Number.isInteger(waits) ? (waits as number) : 0));
      return DONE;
    });
  }
}
