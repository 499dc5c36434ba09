import { identify, tailOf, traceFactsOf, type EventId } from '@form-webhooks/domain';
import type { EventMessage } from '@form-webhooks/messages';
import { LOGGER, Tracing, type Logger } from '@form-webhooks/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';
import type { DoorFacts } from './door-facts.js';
import { readFormEvent } from './read-form-event.js';
import type { Refusal } from './refusal.js';

/** Where accepted events go. */
export abstract class EventQueue {
  /** Resolves once the event is safe on disk. @throws PublishFailed */
  abstract publish(message: EventMessage): Promise<void>;
}

export type Acceptance =
  | { readonly kind: 'accepted'; readonly eventId: EventId; readonly acceptedAt: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Takes responsibility for one event: both doors end here. */
@Injectable()
export class AcceptEvent {
  constructor(
    private readonly queue: EventQueue,
    private readonly clock: Clock,
    private readonly tracing: Tracing,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Accepted means that the broker confirmed it. Sent again with the same key and content it becomes the same event, so
   * whoever does not know whether an event was accepted sends it again.
   * @throws PublishFailed if the broker did not confirm it
   */
  async accept(bytes: Buffer, facts: DoorFacts): Promise<Acceptance> {
    const reading = readFormEvent(bytes, facts);
    if (!reading.ok) return { kind: 'refused', refusal: reading.refusal };
    const { event } = reading;
    const tail = tailOf(event);
    const eventId = identify(event, tail);
    const acceptedAt = this.clock.now();
    const message = {
      event: event.event,
      eventId,
      formId: event.formId,
      submissionId: event.submissionId,
      acceptedAt,
      ...(event.key === undefined ? {} : { key: event.key }),
      tail,
    };
    await this.publish(message, facts);
    return { kind: 'accepted', eventId, acceptedAt };
  }

  /** One span and one wide line for each event that is safe. */
  private async publish(message: EventMessage, { keyName, trace: parent }: DoorFacts): Promise<void> {
    const began = this.clock.elapsed();
    const isMessage = keyName === 'message_id';
    const attributes = () => ({ 'webhook.event_id': message.eventId, 'webhook.form_id': message.formId });
    const published = await this.tracing.during(
      'accept event',
      { kind: isMessage ? 'consumer' : 'server', parent, attributes, whenThrown: 'not_confirmed' },
      async (trace) => {
        const traced = trace === undefined ? message : { ...message, trace };
        await this.queue.publish(traced);
        return traced;
      },
    );
    const ms = Math.round(this.clock.elapsed() - began);
    this.logger.info(factsOf(published, isMessage ? 'amqp' : 'http', ms), 'event.accepted');
  }
}

/** Each member by its name: there is one such line for each event. A line leaves out what is undefined. */
const factsOf = (message: EventMessage, door: 'amqp' | 'http', ms: number) => ({
  event_id: message.eventId,
  form_id: message.formId,
  submission_id: message.submissionId,
  event: message.event,
  keyed: message.key !== undefined,
  bytes: message.tail.length,
  trace_id: message.trace && traceFactsOf(message.trace).traceId,
  door,
  ms,
});
