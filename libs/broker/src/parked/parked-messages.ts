import { setTimeout as delay } from 'node:timers/promises';
import type { Channel, GetMessage } from 'amqplib';
import type { Broker } from '../broker.js';
import { lookAtQueue } from '../consume/queue-standing.js';
import { originOf } from '../consume/origin.js';
import { messageProperties, ownHeaders, withoutParking } from '../publish/forwarding.js';
import type { OutgoingMessage } from '../publish/safe-publisher.js';
import { parkedQueues, toQueue } from '../topology.js';

const BACK_WITHIN_MS = 5_000;
const BACK_POLL_MS = 20;

/** A parked message as an operator sees it: ids and the reason, never the body. */
export interface ParkedMessage {
  readonly queue: string;
  readonly reason: string;
  readonly bytes: number;
  /** Without those that it has only while it is parked. */
  readonly headers: Readonly<Record<string, string | number>>;
  readonly messageId: string | null;
  /** When it was parked, ms since the epoch; null for what an older version parked. */
  readonly parkedAt: number | null;
  /** When and by whom it was published, if its publisher said so. */
  readonly sentAt: number | null;
  readonly sentBy: string | null;
}

/** A parked message with its body, for whoever decides about it. */
export interface ReviewedMessage {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

export type ReviewVerdict = 'keep' | 'discard' | Buffer;

/** What becomes of each of these messages, in their order. */
export type Judge = (messages: readonly ReviewedMessage[]) => Promise<readonly ReviewVerdict[]>;

/** Whether a message is one of those that are meant. */
export type IsMeant = (message: ParkedMessage) => boolean;

/** Told of each message once it is settled. @returns whether to go on with the next */
export type OnSettled = (message: ParkedMessage) => boolean;

/** Whether a message is about the event or the delivery of this id, or has it as its `message_id`. */
export const isNamedBy = ({ headers, messageId }: ParkedMessage, id: string): boolean =>
  [headers['event_id'], headers['delivery_id'], messageId].includes(id);

/** So many messages of a queue an operator's command holds while it looks for some. */
const MOST_SEARCHED = 10_000;
/** What `review` holds at a time. */
const REVIEWED_AT_A_TIME = 100;
const REVIEWED_BYTES = 8 * 1024 * 1024;

/** What a search through all parked queues found. */
export interface ParkedSearch {
  readonly found: readonly ParkedMessage[];
  readonly lookedAt: number;
  /** Messages that nobody looked at: there were more than the limit, or it took too long. */
  readonly left: number;
}

/** How far a search goes. */
export interface ParkedSearchLimits {
  /** Messages of each queue. */
  readonly perQueue: number;
  /** For how long messages are fetched in all, ms. */
  readonly withinMs: number;
}

interface SettledOnes {
  readonly limit: number;
  readonly isMeant: IsMeant | undefined;
  readonly onSettled: OnSettled | undefined;
}

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
    const seen: ParkedMessage[] = [];
    // Closing the channel hands back what was only looked at.
    await this.withChannel((channel) =>
      this.each(channel, queue, limit, async (message) => void seen.push(describe(queue, message))),
    );
    await this.untilBack(queue, seen.length);
    return seen;
  }

  /** Looks through the first messages of every parked queue; they stay where they are. */
  async search(
    matches: (message: ParkedMessage, body: Buffer) => boolean,
    { perQueue, withinMs }: ParkedSearchLimits,
  ): Promise<ParkedSearch> {
    const deadline = performance.now() + withinMs;
    const found: ParkedMessage[] = [];
    let [lookedAt, waiting] = [0, 0];
    for (const { queue, messages } of await this.count()) {
      waiting += messages;
      if (messages === 0) continue;
      let held = 0;
      await this.withChannel((channel) =>
        this.each(channel, queue, perQueue, async (message) => {
          held += 1;
          const described = describe(queue, message);
          if (matches(described, message.content)) found.push(described);
          return performance.now() < deadline;
        }),
      );
      lookedAt += held;
      await this.untilBack(queue, held);
    }
    return { found, lookedAt, left: Math.max(0, waiting - lookedAt) };
  }

  /**
   * Puts messages back to work, each acked only after it is safe there.
   * @param isMeant which of the first ones; all without it
   * @returns what was moved
   */
  async requeue(queue: string, limit: number, isMeant?: IsMeant, onSettled?: OnSettled): Promise<ParkedMessage[]> {
    const work = workOf(queue);
    return this.settleEach(queue, { limit, isMeant, onSettled }, async (message) => {
      const { unparked: _unparked, ...headers } = withoutParking(ownHeaders(message.properties.headers ?? {}));
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
    isMeant?: IsMeant,
    onSettled?: OnSettled,
  ): Promise<ParkedMessage[]> {
    workOf(queue);
    return this.settleEach(queue, { limit, isMeant, onSettled }, (message) => before(reviewed(message)));
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

  /** A queue that its service has not declared yet holds nothing. */
  private async depthOf(queue: string): Promise<number> {
    return (await lookAtQueue(this.broker, queue))?.messages ?? 0;
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

  private async settleEach(
    queue: string,
    { limit, isMeant = () => true, onSettled = () => true }: SettledOnes,
    act: (message: GetMessage) => Promise<void>,
  ): Promise<ParkedMessage[]> {
    const settled: ParkedMessage[] = [];
    let passedOver = 0;
    // Closing the channel hands back what is not meant.
    await this.withChannel((channel) =>
      this.each(channel, queue, MOST_SEARCHED, async (message) => {
        const described = describe(queue, message);
        if (!isMeant(described)) {
          passedOver += 1;
          return true;
        }
        await act(message);
        channel.ack(message);
        settled.push(described);
        return onSettled(described) && settled.length < limit;
      }),
    );
    await this.untilBack(queue, passedOver);
    return settled;
  }

  /**
   * Takes at most what the queue held at the start, so that what arrives meanwhile can't keep it going; `act` ends it
   * early by false.
   */
  private async each(
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

function describe(queue: string, { content, properties }: GetMessage): ParkedMessage {
  const headers = ownHeaders(properties.headers ?? {});
  const { parked_reason: reason = 'unknown', parked_at: parkedAt, parked_sent_at, parked_sent_by } = headers;
  const { messageId } = properties as { readonly messageId?: unknown };
  const told = originOf({ ...properties });
  const sentBy = parked_sent_by ?? told.sentBy;
  return {
    ...{ queue, reason: String(reason), bytes: content.length, headers: withoutParking(headers) },
    messageId: typeof messageId === 'string' ? messageId : null,
    parkedAt: momentOf(parkedAt),
    sentAt: momentOf(parked_sent_at ?? told.sentAt),
    sentBy: sentBy === undefined ? null : String(sentBy),
  };
}

/** What a header says of a moment; a stranger's can say anything. */
const momentOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(new Date(value).getTime()) ? value : null;
