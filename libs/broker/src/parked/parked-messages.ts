import type { GetMessage } from 'amqplib';
import { CAME_BEFORE } from '@form-webhooks/messages';
import type { Broker } from '../broker.js';
import { originProperties, ownHeaders, UNPARKED, withoutParking } from '../publish/forwarding.js';
import { parkedQueues, toQueue, workFor } from '../destinations.js';
import { describeParked, propertiesOf, type ParkedMessage } from './parked-message.js';
import { QueueScan } from './queue-scan.js';
import { reviewed, reviewParked, type Judge, type ReviewedMessage } from './review-parked.js';

/** So many messages of a queue an operator's command holds while it looks for some. */
export const MOST_SEARCHED = 10_000;

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

/** Which messages an operator's command settles. It looks for them among the first 10,000 of the queue. */
export interface SettleOptions {
  /** How many at most. */
  readonly limit: number;
  /** Whether a message is one of those that are meant; all are without it. */
  readonly isMeant?: ((message: ParkedMessage) => boolean) | undefined;
  /** Told of each message once it is settled. @returns whether to go on with the next */
  readonly onSettled?: ((message: ParkedMessage) => boolean) | undefined;
}

export interface ParkedQueue {
  readonly queue: string;
  /** Where `requeue` puts its messages; large ones among their like. */
  readonly work: string;
  readonly messages: number;
}

/** Reads and empties the parked queues, for an operator's command. Every call is bounded by its limit. */
export class ParkedMessages {
  private readonly scan: QueueScan;

  constructor(private readonly broker: Broker) {
    this.scan = new QueueScan(broker);
  }

  /** Whether the broker can be asked just now. */
  get reachable(): boolean {
    return this.broker.consuming.ready;
  }

  async count(): Promise<ParkedQueue[]> {
    const counted: ParkedQueue[] = [];
    for (const { parked, work } of parkedQueues()) {
      counted.push({ queue: parked, work, messages: await this.scan.depthOf(parked) });
    }
    return counted;
  }

  /** The first messages of a queue; they stay where they are. */
  async list(queue: string, limit: number): Promise<ParkedMessage[]> {
    const seen: ParkedMessage[] = [];
    // Closing the channel hands back what was only looked at.
    await this.scan.withChannel((channel) =>
      this.scan.each(channel, queue, limit, async (message) => void seen.push(describeParked(queue, message))),
    );
    await this.scan.untilBack(queue, seen.length);
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
      await this.scan.withChannel((channel) =>
        this.scan.each(channel, queue, perQueue, async (message) => {
          held += 1;
          const described = describeParked(queue, message);
          if (matches(described, message.content)) found.push(described);
          return performance.now() < deadline;
        }),
      );
      lookedAt += held;
      await this.scan.untilBack(queue, held);
    }
    return { found, lookedAt, left: Math.max(0, waiting - lookedAt) };
  }

  /**
   * Puts messages back to work, each acked only after it is safe there, with who sent it and when. Each says that it came
   * before: the log may know an event's deliveries from before it was parked, and nobody else has them.
   * @returns what was moved
   * @throws RangeError if the queue is none of parked messages
   */
  async requeue(queue: string, options: SettleOptions): Promise<ParkedMessage[]> {
    const work = workOf(queue);
    return this.settleEach(queue, options, async (message, { sentAt, sentBy }) => {
      const { [UNPARKED]: _again, ...headers } = withoutParking(ownHeaders(message.properties.headers ?? {}));
      const to = toQueue(workFor(work, message.content.length));
      await this.broker.publisher.publish(to, {
        ...propertiesOf(message, message.content),
        ...originProperties({ ...(sentAt === null ? {} : { sentAt }), ...(sentBy === null ? {} : { sentBy }) }),
        headers: { ...headers, [CAME_BEFORE]: 1 },
      });
    });
  }

  /**
   * Throws messages away for good.
   * @param before each is acked only after this has resolved for it
   * @returns what was thrown away
   * @throws RangeError if the queue is none of parked messages
   */
  async discard(
    queue: string,
    options: SettleOptions,
    before: (message: ReviewedMessage) => Promise<void> = () => Promise.resolve(),
  ): Promise<ParkedMessage[]> {
    workOf(queue);
    return this.settleEach(queue, options, (message) => before(reviewed(message)));
  }

  /** See `reviewParked`. */
  review(queue: string, limit: number, judge: Judge): Promise<number> {
    return reviewParked(this.broker, queue, limit, judge);
  }

  private async settleEach(
    queue: string,
    { limit, isMeant = () => true, onSettled = () => true }: SettleOptions,
    act: (message: GetMessage, described: ParkedMessage) => Promise<void>,
  ): Promise<ParkedMessage[]> {
    const settled: ParkedMessage[] = [];
    let passedOver = 0;
    // Closing the channel hands back what is not meant.
    await this.scan.withChannel((channel) =>
      this.scan.each(channel, queue, MOST_SEARCHED, async (message) => {
        const described = describeParked(queue, message);
        if (!isMeant(described)) {
          passedOver += 1;
          return true;
        }
        await act(message, described);
        channel.ack(message);
        settled.push(described);
        return onSettled(described) && settled.length < limit;
      }),
    );
    await this.scan.untilBack(queue, passedOver);
    return settled;
  }
}

/** @throws RangeError that names the queues there are */
function workOf(queue: string): string {
  const known = parkedQueues().find(({ parked }) => parked === queue);
  if (known) return known.work;
  const names = parkedQueues().map(({ parked }) => parked);
  throw new RangeError(`"${queue}" is no queue of parked messages; there are ${names.join(', ')}`);
}
