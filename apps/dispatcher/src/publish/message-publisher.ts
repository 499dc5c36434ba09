import type { Destination, OutgoingMessage } from '@form-webhooks/broker';

/** Publishes what must not be lost: again and again until the broker has it. */
export abstract class MessagePublisher {
  /** Resolves once the broker has the message safe in a queue, however long that takes. It rejects only for bugs. */
  abstract publish(to: Destination, message: OutgoingMessage): Promise<void>;
}
