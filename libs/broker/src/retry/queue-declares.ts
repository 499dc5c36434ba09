import { OnceAMinute } from '@form-webhooks/domain';
import type { Channel } from 'amqplib';
import type { BrokerLogger } from '../broker-logger.js';
import type { Session } from '../connection/broker-link.js';
import { declareQueue, type QueueSpec } from '../topology.js';

/**
 * Declares retry queues in the session that stands. That one could not be declared is no error: another queue serves.
 * So none of these rejects; each ends with its session at the latest.
 */
export class QueueDeclares {
  /** For those that are answered at once; as soon as it is being opened: who needs it meanwhile must not open others. */
  private channel: Promise<Channel> | undefined;
  private session: Session | undefined;
  /** Hundreds of retries meet the same, each again and again. */
  private readonly failures = new OnceAMinute();

  constructor(private readonly logger: BrokerLogger) {}

  beginSession(session: Session): void {
    this.session = session;
    this.channel = undefined;
  }

  /** Ends the session that stands. */
  dropSession(why: string): void {
    this.session?.drop(why);
  }

  /** On one channel, after those that were asked for before: there are thousands of endpoints. @returns whether it stands */
  inTurn(queue: QueueSpec): Promise<boolean> {
    return this.inSession(queue, async () => declareQueue(await this.openedChannel(), queue));
  }

  /**
   * On a channel of its own: a queue without a leader, which is answered late or never [trap 20], must not hold up the
   * declares of others. @returns whether it stands
   */
  apart(queue: QueueSpec): Promise<boolean> {
    return this.inSession(queue, async (session) => {
      const channel = await session.openExpendableChannel();
      await declareQueue(channel, queue);
      await channel.close();
    });
  }

  private async inSession(queue: QueueSpec, declare: (session: Session) => Promise<void>): Promise<boolean> {
    const { session } = this;
    // Whoever publishes is told that the broker is away.
    if (!session?.open) return false;
    try {
      await declare(session);
      return session === this.session;
    } catch (error) {
      if (session.open) this.tell(queue, error);
      return false;
    }
  }

  /** As while the queue's node is away, or the broker takes no more queues. */
  private tell(queue: QueueSpec, error: unknown): void {
    if (!this.failures.isDue()) return;
    this.logger.warn({ queue: queue.name, err: error }, 'a retry queue could not be declared');
  }

  private async openedChannel(): Promise<Channel> {
    if (this.channel) return this.channel;
    const opening = this.session!.openExpendableChannel();
    this.channel = opening;
    const forget = (): void => {
      if (this.channel === opening) this.channel = undefined;
    };
    opening.then((channel) => channel.on('close', forget), forget);
    return opening;
  }
}
