import type { Channel } from 'amqplib';
import type { BrokerLogger } from '../broker-logger.js';
import { isNotFound } from '../topology.js';
import type { BrokerLink, Session } from '../connection/broker-link.js';

const ASK_EACH_MS = 2_000;

/** A queue as the broker told of it. */
export interface QueueLength {
  readonly queue: string;
  /** That nobody has taken. */
  readonly messages: number;
  readonly consumers: number;
}

/** How many messages wait in some queues, asked of the broker every few seconds. Whoever is connected may ask. */
export class QueueLengths {
  private readonly latest = new Map<string, QueueLength>();
  private timer: NodeJS.Timeout | undefined;
  private session: Session | undefined;

  constructor(
    link: BrokerLink,
    private readonly queues: readonly string[],
    private readonly logger: BrokerLogger,
    private readonly askEachMs = ASK_EACH_MS,
  ) {
    link.addStep((session) => {
      clearTimeout(this.timer);
      this.session = session;
      // Not waited for: nothing depends on it.
      void this.ask(session);
      return Promise.resolve();
    });
  }

  /** As the broker told last; 0 if it has told nothing. */
  lengthOf(queue: string): number {
    return this.latest.get(queue)?.messages ?? 0;
  }

  /** What the broker told last, of each queue that is there; nothing while it is away. */
  get all(): readonly QueueLength[] {
    return this.session?.open === true ? [...this.latest.values()] : [];
  }

  /** Never rejects. */
  private async ask(session: Session): Promise<void> {
    try {
      let channel = await session.openExpendableChannel();
      for (const queue of this.queues) {
        if (await this.askOne(channel, queue)) continue;
        // The broker closes a channel by which one asks for a queue that is not there.
        channel = await session.openExpendableChannel();
      }
      await channel.close();
    } catch (error) {
      this.logger.debug({ err: error }, 'the messages of queues could not be counted');
    }
    this.timer = setTimeout(() => {
      if (session.open) void this.ask(session);
    }, this.askEachMs).unref();
  }

  /** @returns whether it is there */
  private async askOne(channel: Channel, queue: string): Promise<boolean> {
    try {
      const { messageCount: messages, consumerCount: consumers } = await channel.checkQueue(queue);
      this.latest.set(queue, { queue, messages, consumers });
      return true;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.latest.delete(queue);
      return false;
    }
  }
}
