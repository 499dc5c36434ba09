import { TO_EVENTS, type Broker } from '@form-webhooks/broker';
import { eventHeaders, type EventMessage } from '@form-webhooks/messages';
import { EventQueue } from '../accept-event.js';

/** Hands accepted events to the dispatchers. */
export class BrokerEventQueue extends EventQueue {
  constructor(private readonly broker: Broker) {
    super();
  }

  override publish(message: EventMessage): Promise<void> {
    const { eventId, tail } = message;
    return this.broker.publisher.publish(TO_EVENTS, { headers: eventHeaders(message), body: tail, messageId: eventId });
  }
}
