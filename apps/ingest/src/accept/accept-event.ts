import { identify, tailOf, type EventId } from '@form-webhooks/domain';
import type { EventMessage } from '@form-webhooks/messages';
import { Injectable } from '@nestjs/common';
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
    await this.queue.publish({
      event: event.event,
      eventId,
      formId: event.formId,
      submissionId: event.submissionId,
      acceptedAt,
      ...(event.key === undefined ? {} : { key: event.key }),
      tail,
    });
    return { kind: 'accepted', eventId, acceptedAt };
  }
}
