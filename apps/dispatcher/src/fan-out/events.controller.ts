import { EventPattern } from '@nestjs/microservices';
import {
  DONE,
  EVENT_QUEUES,
  isBulk,
  MessageController,
  park,
  TO_DELIVERIES,
  type IncomingMessage,
  type Verdict,
} from '@form-webhooks/broker';
import {
  CAME_BEFORE,
  fenceMessage,
  FORM_WAITS,
  isFence,
  readEventMessage,
  readFenceMessage,
  UnreadableMessage,
  type EventMessage,
} from '@form-webhooks/messages';
import { Tracing, type SpanAttributes } from '@form-webhooks/telemetry';
import { BeginWork } from '../intake/begin-work.js';
import type { EventArrival } from './event-arrival.js';
import { FanOut, type FanOutOutcome } from './fan-out.js';
import { FanOutReport } from './fan-out-report.js';
import { MessagePublisher } from '../publish/message-publisher.js';

/** Accepted events, from ingest. */
@MessageController()
export class EventsController {
  constructor(
    private readonly fanOut: FanOut,
    private readonly report: FanOutReport,
    private readonly work: BeginWork,
    private readonly publisher: MessagePublisher,
    private readonly tracing: Tracing,
  ) {}

  @EventPattern<readonly string[]>(EVENT_QUEUES)
  async handle(message: IncomingMessage): Promise<Verdict> {
    let event: EventMessage;
    try {
      if (isFence(message.headers)) return await this.passOn(message);
      event = readEventMessage(message.headers, message.body);
    } catch (error) {
      if (error instanceof UnreadableMessage) return park(error.message);
      throw error;
    }
    return this.work.begin(message, () => {
      const { queue, isOurs } = message;
      const redelivered = message.redelivered || message.headers[CAME_BEFORE] !== undefined;
      const waits = waitsOf(message);
      if (waits === 0) this.report.reportTaken(event, queue);
      const arrival = { waits, redelivered, queue, bulkLane: isBulk(queue) ? queue : undefined, isOurs };
      return this.fanOutTraced(event, arrival).then((outcome) => this.report.reportFanOut(event, outcome));
    });
  }

  /** The span ends when the first attempts are settled; each attempt is a span of its own below it. */
  private fanOutTraced(event: EventMessage, arrival: EventArrival): Promise<FanOutOutcome> {
    const attributes = (outcome?: FanOutOutcome): SpanAttributes => ({
      'webhook.event_id': event.eventId,
      'webhook.form_id': event.formId,
      ...(outcome !== undefined && { 'webhook.outcome': outcome }),
    });
    return this.tracing.during(
      'fan out event',
      { kind: 'consumer', parent: event.trace, attributes, whenThrown: 'handed_back' },
      (trace) => this.fanOut.fanOut(trace === event.trace ? event : { ...event, ...(trace && { trace }) }, arrival),
    );
  }

  /** Goes on to where an event that came before sends its deliveries. */
  private async passOn({ headers }: IncomingMessage): Promise<Verdict> {
    await this.publisher.publish(TO_DELIVERIES, fenceMessage(readFenceMessage(headers)));
    return DONE;
  }
}

function waitsOf({ headers }: IncomingMessage): number {
  const waits = headers[FORM_WAITS];
  return Number.isInteger(waits) ? (waits as number) : 0;
}
