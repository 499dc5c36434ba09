import { Controller } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { park, QUEUES, type IncomingMessage, type Verdict } from '@form-webhooks/broker';
import { readEventMessage, UnreadableMessage, type EventMessage } from '@form-webhooks/messages';
import { BeginWork } from '../intake/begin-work.js';
import { FanOut } from './fan-out.js';
import { FanOutReport } from './fan-out-report.js';

/** Accepted events, from ingest. */
@Controller()
export class EventsController {
  constructor(
    private readonly fanOut: FanOut,
    private readonly report: FanOutReport,
    private readonly work: BeginWork,
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
    return this.work.begin(message, async () => {
      const arrival = { waits: waitsOf(message), redelivered: message.redelivered };
      this.report.reportFanOut(event, await this.fanOut.fanOut(event, arrival));
    });
  }
}

/** How often the event waited for its form before; ingest sends it without a count. */
function waitsOf({ headers }: IncomingMessage): number {
  const waits = headers['waits'];
  return Number.isInteger(waits) ? (waits as number) : 0;
}
