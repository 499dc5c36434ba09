import type { BrokerLogger } from '../broker-logger.js';
import type { BrokerLink, Session } from '../connection/broker-link.js';

const ASK_EACH_MS = 2_000;

/** How many messages wait in some queues, asked of the broker every few seconds. Whoever is connected may ask. */
export class QueueLengths {
  private readonly latest = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    link: BrokerLink,
    private readonly queues: readonly string[],
    private readonly logger: BrokerLogger,
    private readonly askEachMs = ASK_EACH_MS,
  ) {
    link.addStep((session) => {
      clearTimeout(this.timer);
      // Not waited for: nothing depends on it.
      void this.ask(session);
      return Promise.resolve();
    });
  }

  /** As the broker told last; 0 if it has told nothing. */
  lengthOf(queue: string): number {
    return this.latest.get(queue) ?? 0;
  }

  /** A channel of its own each time: the broker closes it if a queue is not there. Never rejects. */
  private async ask(session: Session): Promise<void> {
    try {
      const channel = await session.openExpendableChannel();
      for (const queue of this.queues) {
        const { messageCount } = await channel.checkQueue(queue);
        this.latest.set(queue, messageCount);
      }
      await channel.close();
    } catch (error) {
      this.logger.debug({ err: error }, 'the messages of queues could not be counted');
    }
    this.timer = setTimeout(() => {
      if (session.open) void this.ask(session);
    }, this.askEachMs).unref();
  }
}
