import {
  isLarge,
  type Destination,
  type OutgoingMessage,
  type RetryQueues,
  type SafePublisher,
} from '@form-webhooks/broker';
import type { DelayedPublisher } from '../attempt/settlement.js';
import { MessagePublisher } from './message-publisher.js';

/** Repeats a publish until the broker has confirmed it. */
export abstract class UntilConfirmed {
  /** Resolves with what `publish` did. It rejects only for bugs. */
  abstract untilConfirmed<T>(publish: () => Promise<T>): Promise<T>;
}

/** The broker as the dispatcher publishes to it: whatever follows from its work is repeated until it is confirmed. */
export class BrokerPublisher extends MessagePublisher implements DelayedPublisher {
  constructor(
    private readonly publisher: Pick<SafePublisher, 'publish'>,
    private readonly retries: Pick<RetryQueues, 'publish'>,
    private readonly confirmed: UntilConfirmed,
  ) {
    super();
  }

  override publish(to: Destination, message: OutgoingMessage): Promise<void> {
    return this.confirmed.untilConfirmed(() => this.publisher.publish(to, message));
  }

  async publishDelayed(
    endpointId: string,
    delayMs: number,
    messageFor: (delayMs: number) => OutgoingMessage,
    bodyBytes: number,
  ): Promise<void> {
    const large = isLarge(bodyBytes);
    await this.confirmed.untilConfirmed(() =>
      this.retries.publish(endpointId, delayMs, (placement) => messageFor(placement.delayMs), large),
    );
  }
}
