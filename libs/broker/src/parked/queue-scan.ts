import { setTimeout as delay } from 'node:timers/promises';
import type { Channel, GetMessage } from 'amqplib';
import type { Broker } from '../broker.js';
import { lookAtQueue } from '../consume/queue-standing.js';

const BACK_WITHIN_MS = 5_000;
const BACK_POLL_MS = 20;

/** Takes messages out of a queue one by one; those that are not acknowledged go back to it once the channel is closed. */
export class QueueScan {
  constructor(private readonly broker: Broker) {}

  async withChannel<T>(work: (channel: Channel) => Promise<T>): Promise<T> {
    const channel = await this.broker.consuming.openChannel();
    try {
      return await work(channel);
    } finally {
      await channel.close();
    }
  }

  /**
   * Takes at most what the queue held at the start, so that what arrives meanwhile can't keep it going; `act` ends it
   * early by false.
   */
  async each(
    channel: Channel,
    queue: string,
    limit: number,
    act: (message: GetMessage) => Promise<boolean | void>,
  ): Promise<void> {
    const messageCount = await this.depthOf(queue);
    for (let n = 0; n < Math.min(limit, messageCount); n++) {
      const message = await channel.get(queue);
      if (!message || (await act(message)) === false) return;
    }
  }

  /**
   * After a channel is closed it takes a moment until the broker has put back what it held. If somebody else empties
   * the queue meanwhile, this ends only with its time.
   */
  async untilBack(queue: string, messages: number): Promise<void> {
    const deadline = performance.now() + BACK_WITHIN_MS;
    const isBack = async (): Promise<boolean> => (await this.depthOf(queue)) >= messages;
    while (messages > 0 && !(await isBack()) && performance.now() < deadline) await delay(BACK_POLL_MS);
  }

  /** A queue that its service has not declared yet holds nothing. */
  async depthOf(queue: string): Promise<number> {
    return (await lookAtQueue(this.broker, queue))?.messages ?? 0;
  }
}
