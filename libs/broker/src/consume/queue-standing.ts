import type { Broker } from '../broker.js';
import { isNotFound } from '../topology.js';

/** How a queue stands at a moment. */
export interface QueueStanding {
  /** That nobody has in hand. */
  readonly messages: number;
  readonly consumers: number;
}

/** Looks at a queue without touching it. @returns undefined if it is not there. @throws Error if the broker is away */
export async function lookAtQueue(broker: Broker, queue: string): Promise<QueueStanding | undefined> {
  // A channel of its own: the broker closes it if the queue is not there.
  const channel = await broker.consuming.openChannel();
  try {
    const { messageCount, consumerCount } = await channel.checkQueue(queue);
    await channel.close();
    return { messages: messageCount, consumers: consumerCount };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether an exchange is there. @throws Error if the broker is away */
export async function exchangeStands(broker: Broker, exchange: string): Promise<boolean> {
  const channel = await broker.consuming.openChannel();
  try {
    await channel.checkExchange(exchange);
    await channel.close();
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
