import { Controller } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { DONE, park, QUEUES, type IncomingMessage, type Verdict } from '@form-webhooks/broker';
import { readEventMessage, UnreadableMessage, type EventMessage } from '@form-webhooks/messages';
import { FanOut } from './fan-out.js';
import { FanOutReport } from './fan-out-report.js';
import { HeldBytes } from '../intake/held-bytes.js';
import { FlowGate } from '../intake/flow-gate.js';

/** Accepted events, from ingest. */
@Controller()
export class EventsController {
  constructor(
    private readonly fanOut: FanOut,
    private readonly report: FanOutReport,
    private readonly heldBytes: HeldBytes,
    private readonly gate: FlowGate,
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
    return this.heldBytes.during(message.body.length, async () => {
      await this.gate.whenOpen();
      // What came back to the broker while it waited here is fanned out by whoever got it then.
      if (!message.isOurs()) return DONE;
      const waits = message.headers['waits'];
      this.report.fannedOut(event, await this.fanOut.fanOut(event, Number.isInteger(waits) ? (waits as number) : 0));
      return DONE;
    });
  }
}
