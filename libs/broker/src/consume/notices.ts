import type { BrokerLogger } from '../broker-logger.js';
import type { BrokerLink, Session } from '../connection/broker-link.js';

/**
 * Hears every message of a fanout exchange by a queue that lives as long as the connection. Notices that were sent
 * while the connection was away are missed, so `onReset` runs after each (re)connect.
 */
export class NoticeSubscription {
  private queue: string | undefined;

  constructor(
    link: BrokerLink,
    private readonly exchange: string,
    private readonly handlers: { readonly onNotice: (body: Buffer) => void; readonly onReset: () => void },
    private readonly logger: BrokerLogger,
  ) {
    link.addStep((session) => this.attach(session));
  }

  private async attach(session: Session): Promise<void> {
    const channel = await session.openChannel();
    const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true, durable: false });
    await channel.bindQueue(queue, this.exchange, '');
    this.queue = queue;
    await channel.consume(
      queue,
      (message) => {
        if (message) this.hear(message.content);
        else session.drop(`the broker cancelled the subscription to ${this.exchange}`);
      },
      { noAck: true },
    );
    // From here on no notice is missed.
    this.handlers.onReset();
  }

  /** In case somebody has taken the binding away, which nobody is told of. */
  async bindAgain(session: Session): Promise<void> {
    if (this.queue === undefined) return;
    const channel = await session.openExpendableChannel();
    await channel.bindQueue(this.queue, this.exchange, '');
    await channel.close();
  }

  private hear(body: Buffer): void {
    try {
      this.handlers.onNotice(body);
    } catch (error) {
      this.logger.error({ exchange: this.exchange, err: error }, 'a notice could not be read; all copies are dropped');
      this.handlers.onReset();
    }
  }
}
