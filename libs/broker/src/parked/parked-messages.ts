import { setTimeout as delay } from 'node:timers/promises';
import type { Channel, GetMessage } from 'amqplib';
import type { Broker } from '../broker.js';
import { messageProperties, ownHeaders } from '../publish/forwarding.js';
import type { OutgoingMessage } from '../publish/safe-publisher.js';
import { isNotFound, parkedQueues, toQueue } from '../topology.js';

const BACK_WITHIN_MS = 5_000;
const BACK_POLL_MS = 20;

/** A parked message as an operator sees it: ids and the reason, never the body. */
export interface ParkedMessage {
  readonly queue: string;
  readonly reason: string;
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string | number>>;
}

/** A parked message with its body, for whoever decides about it. */
export interface ReviewedMessage {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

export type ReviewVerdict = 'keep' | 'discard' | Buffer;

/** What becomes of each of these messages, in their order. */
export type Judge = (messages: readonly ReviewedMessage[]) => Promise<readonly ReviewVerdict[]>;

/** What `review` holds at a time. */
const REVIEWED_AT_A_TIME = 100;
const REVIEWED_BYTES = 8 * 1024 * 1024;

export interface ParkedQueue {
  readonly queue: string;
  /** Where `requeue` puts its messages. */
  readonly work: string;
  readonly messages: number;
}

/** Reads and empties the parked queues, for an operator's command. Every call is bounded by its limit. */
export class ParkedMessages {
  constructor(private readonly broker: Broker) {}

  async count(): Promise<ParkedQueue[]> {
    const counted: ParkedQueue[] = [];
    for (const { parked, work } of parkedQueues()) {
      counted.push({ queue: parked, work, messages: await this.depthOf(parked) });
    }
    return counted;
  }

  /** The first messages of a queue; they stay where they are. */
  async list(queue: string, limit: number): Promise<ParkedMessage[]> {
    return this.withChannel(async (channel) => {
      const seen: ParkedMessage[] = [];
      await this.each(channel, queue, limit, async (message) => void seen.push(describe(queue, message)));
      // Closing the channel hands back what was only looked at.
      return seen;
    });
  }

  /** Puts messages back to work, each acked only after it is safe there. @returns what was moved */
  async requeue(queue: string, limit: number): Promise<ParkedMessage[]> {
    const work = workOf(queue);
    return this.settleEach(queue, limit, async (message) => {
      const { parked_reason: _reason, unparked: _unparked, ...headers } = ownHeaders(message.properties.headers ?? {});
      await this.broker.publisher.publish(toQueue(work), { ...propertiesOf(message, message.content), headers });
    });
  }

  /**
   * Throws messages away for good, each acked only after `before` has resolved for it.
   * @returns what was thrown away
   */
  async discard(
    queue: string,
    limit: number,
    before: (message: ReviewedMessage) => Promise<void> = () => Promise.resolve(),
  ): Promise<ParkedMessage[]> {
    workOf(queue);
    return this.settleEach(queue, limit, (message) => before(reviewed(message)));
  }

  /**
   * Looks at every message of a queue, for data that must be removed: `judge` keeps each, discards it, or gives it
   * another body. It gets several messages at a time, so that it can ask for what it needs to know of all of them at
   * once. Resolves when what is kept is back in the queue, so that the next look sees it.
   * @returns how many were discarded or rewritten
   */
  async review(queue: string, limit: number, judge: Judge): Promise<number> {
    let [changed, kept] = [0, 0];
    await this.withChannel(async (channel) => {
      let held: GetMessage[] = [];
      const judgeHeld = async (): Promise<void> => {
        const verdicts = await judge(held.map(reviewed));
        for (const [index, message] of held.entries()) {
          if (await this.carryOut(channel, queue, message, verdicts[index]!)) changed += 1;
          else kept += 1;
        }
        held = [];
      };
      await this.each(channel, queue, limit, async (message) => {
        held.push(message);
        const bytes = held.reduce((sum, { content }) => sum + content.length, 0);
        if (held.length >= REVIEWED_AT_A_TIME || bytes >= REVIEWED_BYTES) await judgeHeld();
      });
      if (held.length > 0) await judgeHeld();
    });
    await this.untilBack(queue, kept);
    return changed;
  }

  /**
   * After a channel is closed it takes a moment until the broker has put back what it held. If somebody else empties
   * the queue meanwhile, this ends only with its time.
   */
  private async untilBack(queue: string, messages: number): Promise<void> {
    const deadline = performance.now() + BACK_WITHIN_MS;
    const isBack = async (): Promise<boolean> => (await this.depthOf(queue)) >= messages;
    while (messages > 0 && !(await isBack()) && performance.now() < deadline) await delay(BACK_POLL_MS);
  }

  /** A queue that its service has not declared yet holds nothing. The check closes its channel then. */
  private async depthOf(queue: string): Promise<number> {
    const channel = await this.broker.consuming.openChannel();
    try {
      const { messageCount } = await channel.checkQueue(queue);
      await channel.close();
      return messageCount;
    } catch (error) {
      if (isNotFound(error)) return 0;
      throw error;
    }
  }

  /** @returns whether anything was changed: closing the channel hands back what is kept */
  private async carryOut(
    channel: Channel,
    queue: string,
    message: GetMessage,
    verdict: ReviewVerdict,
  ): Promise<boolean> {
    if (verdict === 'keep') return false;
    if (verdict !== 'discard') {
      const headers = ownHeaders(message.properties.headers ?? {});
      await this.broker.publisher.publish(toQueue(queue), { ...propertiesOf(message, verdict), headers });
    }
    channel.ack(message);
    return true;
  }

  private settleEach(
    queue: string,
    limit: number,
    act: (message: GetMessage) => Promise<void>,
  ): Promise<ParkedMessage[]> {
    return this.withChannel(async (channel) => {
      const settled: ParkedMessage[] = [];
      await this.each(channel, queue, limit, async (message) => {
        await act(message);
        channel.ack(message);
        settled.push(describe(queue, message));
      });
      return settled;
    });
  }

  /** Takes at most what the queue held at the start, so that what arrives meanwhile can't keep it going. */
  private async each(
    channel: Channel,
    queue: string,
    limit: number,
    act: (message: GetMessage) => Promise<void>,
  ): Promise<void> {
    const messageCount = await this.depthOf(queue);
    for (let n = 0; n < Math.min(limit, messageCount); n++) {
      const message = await channel.get(queue);
      if (!message) return;
      await act(message);
    }
  }

  private async withChannel<T>(work: (channel: Channel) => Promise<T>): Promise<T> {
    const channel = await this.broker.consuming.openChannel();
    try {
      return await work(channel);
    } finally {
      await channel.close();
    }
  }
}

/** @throws RangeError that names the queues there are */
function workOf(queue: string): string {
  const known = parkedQueues().find(({ parked }) => parked === queue);
  if (known) return known.work;
  const names = parkedQueues().map(({ parked }) => parked);
  throw new RangeError(`"${queue}" is no queue of parked messages; there are ${names.join(', ')}`);
}

const reviewed = ({ content: body, properties }: GetMessage): ReviewedMessage => ({
  headers: properties.headers ?? {},
  body,
});

function propertiesOf({ properties }: GetMessage, body: Buffer): Omit<OutgoingMessage, 'headers'> {
  const own = properties as { messageId?: string; contentType?: string; contentEncoding?: string };
  return messageProperties({ ...own, body });
}

function describe(queue: string, message: GetMessage): ParkedMessage {
  const { parked_reason: reason, ...headers } = ownHeaders(message.properties.headers ?? {});
  return { queue, reason: String(reason ?? 'unknown'), bytes: message.content.length, headers };
}
