import { DONE, MessageController, park, QUEUES, type IncomingMessage, type Verdict } from '@form-webhooks/broker';
import { EVENT_NAMES, readTraceParent, type EventName } from '@form-webhooks/domain';
import { isJsonType, isPlainEncoding } from '@form-webhooks/http-edge';
import { SCHEMA_VERSION } from '@form-webhooks/messages';
import { EventPattern } from '@nestjs/microservices';
import { AcceptEvent } from '../accept/accept-event.js';
import { IngestMetrics } from '../accept/ingest-metrics.js';
import { describeRefusal, reasonOf, type Refusal } from '../accept/refusal.js';
import { EventSettings } from '../accept/event-settings.js';
import { RetryUntilAccepted } from './retry-until-accepted.js';

/**
 * The door on the exchange `form.events`. Headers and properties are a stranger's: only those named here are looked
 * at, none is logged.
 */
@MessageController()
export class FormEventsController {
  constructor(
    private readonly acceptEvent: AcceptEvent,
    private readonly retries: RetryUntilAccepted,
    private readonly metrics: IngestMetrics,
    private readonly limits: EventSettings,
  ) {}

  @EventPattern<string>(QUEUES.formEvents)
  async handle(message: IncomingMessage): Promise<Verdict> {
    const startedAt = performance.now();
    const obstacle = this.obstacleOf(message);
    if (obstacle) return this.reject(obstacle.reason, `${obstacle.reason}: ${obstacle.text}`);
    const facts = {
      keyName: 'message_id' as const,
      key: message.messageId,
      keyRequired: true,
      trace: readTraceParent(message.headers['traceparent']),
      ...routedAs(message.routingKey),
    };
    const accept = () => this.acceptEvent.accept(message.body, facts);
    const acceptance = await this.retries.accept(message, accept);
    // The broker has taken it back in the middle of an outage, and hands it over anew.
    if (!acceptance) return DONE;
    if (acceptance.kind === 'accepted') {
      this.metrics.accepted('amqp', performance.now() - startedAt);
      return DONE;
    }
    return this.refuse(acceptance.refusal, message);
  }

  /** What keeps the body from being read at all. */
  private obstacleOf(message: IncomingMessage): { readonly reason: string; readonly text: string } | undefined {
    const { maxBytes } = this.limits;
    if (message.body.length > maxBytes) {
      return {
        reason: 'too_large',
        text: `the message has ${message.body.length} bytes, at most ${maxBytes} are taken`,
      };
    }
    // Many clients leave the type out; a body that isn't JSON is found out all the same.
    if (message.contentType !== undefined && !isJsonType(message.contentType)) {
      return { reason: 'media_type', text: 'content_type must be application/json' };
    }
    if (!isPlainEncoding(message.contentEncoding))
      return { reason: 'media_type', text: 'content_encoding must be empty' };
    const version = message.headers['schema_version'];
    if (version === undefined || version === SCHEMA_VERSION) return undefined;
    return { reason: 'schema_version', text: `the header schema_version, if given, must be ${SCHEMA_VERSION}` };
  }

  /** `form.events` is a topic exchange: kinds of events that we don't deliver are nobody's mistake. */
  private refuse(refusal: Refusal, { routingKey }: IncomingMessage): Verdict {
    if (hasUnknownEvent(refusal) && !isOurs(routingKey)) {
      this.metrics.discarded();
      return DONE;
    }
    return this.reject(reasonOf(refusal), describeRefusal(refusal));
  }

  private reject(reason: string, text: string): Verdict {
    this.metrics.refused('amqp', reason);
    return park(text);
  }
}

const isOurs = (routingKey: string): boolean =>
  routingKey === QUEUES.formEvents || EVENT_NAMES.includes(routingKey as EventName);

const hasUnknownEvent = (refusal: Refusal): boolean =>
  refusal.kind === 'invalid' && refusal.errors.some(({ code }) => code === 'unknown_event');

/** A message put into the queue directly, such as one that an operator sends round again, says nothing by its key. */
const routedAs = (routingKey: string): { readonly routedAs?: string } =>
  routingKey === QUEUES.formEvents ? {} : { routedAs: routingKey };
