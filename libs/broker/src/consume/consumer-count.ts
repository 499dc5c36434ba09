import type { BrokerLogger } from '../broker-logger.js';
import type { BrokerLink, Session } from '../connection/broker-link.js';

const ASK_EACH_MS = 3_000;

/**
 * How many consume a queue, asked of the broker every few seconds. While it can't be asked, the latest answer stands: it
 * is what the others know as well.
 */
export class ConsumerCount {
  private latest = 1;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    link: BrokerLink,
    private readonly queue: string,
    private readonly logger: BrokerLogger,
    private readonly askEachMs = ASK_EACH_MS,
  ) {
    link.addStep(async (session) => {
      clearTimeout(this.timer);
      await this.ask(session);
    });
  }

  /** At least 1. */
  get count(): number {
    return this.latest;
  }

  /** A channel of its own each time: the broker closes it if the queue is not there. */
  private async ask(session: Session): Promise<void> {
    try {
      const channel = await session.openExpendableChannel();
      const { consumerCount } = await channel.checkQueue(this.queue);
      this.latest = Math.max(1, consumerCount);
      await channel.close();
    } catch (error) {
      this.logger.debug({ queue: this.queue, err: error }, 'the consumers of a queue could not be counted');
    }
    this.timer = setTimeout(() => {
      if (session.open) void this.ask(session);
    }, this.askEachMs).unref();
  }
}
