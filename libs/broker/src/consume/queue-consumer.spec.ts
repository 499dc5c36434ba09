import { EventEmitter } from 'node:events';
import type { Channel, ConsumeMessage } from 'amqplib';
import { describe, expect, it, vi } from 'vitest';
import type { BrokerLogger } from '../broker-logger.js';
import type { Session } from '../connection/broker-link.js';
import { QueueConsumer } from './queue-consumer.js';
import type { SafePublisher } from '../publish/safe-publisher.js';
import { DONE, ServiceStops, type IncomingMessage } from './verdict.js';

const ATTACH_AGAIN_MS = 20;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A channel whose consumes are answered when the test says so. */
class HeldChannel extends EventEmitter {
  readonly consumers = new Set<string>();
  readonly acked: ConsumeMessage[] = [];
  readonly rejected: { readonly message: ConsumeMessage; readonly requeue: boolean | undefined }[] = [];
  answers: (() => void)[] = [];
  private tags = 0;
  private deliver: ((message: ConsumeMessage | null) => void) | undefined;

  prefetch = () => Promise.resolve();
  assertQueue = () => Promise.resolve();
  close = () => Promise.resolve();

  consume(_queue: string, deliver: (message: ConsumeMessage | null) => void): Promise<{ consumerTag: string }> {
    const consumerTag = `tag-${++this.tags}`;
    this.deliver = deliver;
    this.consumers.add(consumerTag);
    return new Promise((resolve) => this.answers.push(() => resolve({ consumerTag })));
  }

  cancel(tag: string): Promise<void> {
    this.consumers.delete(tag);
    return Promise.resolve();
  }

  ack(message: ConsumeMessage): void {
    this.acked.push(message);
  }

  reject(message: ConsumeMessage, requeue?: boolean): void {
    this.rejected.push({ message, requeue });
  }

  answerConsume(): void {
    for (const answer of this.answers.splice(0)) answer();
  }

  /** As when the queue was deleted. */
  cancelled(): void {
    this.deliver!(null);
  }

  hand(): ConsumeMessage {
    const message = { content: Buffer.from('x'), fields: { redelivered: false, routingKey: '' }, properties: {} };
    this.deliver!(message as ConsumeMessage);
    return message as ConsumeMessage;
  }
}

/** A session that gives out these channels, one after another. */
const sessionOf = (...channels: HeldChannel[]): Session => {
  const next = () => Promise.resolve(channels.shift() as unknown as Channel);
  return { open: true, openChannel: next, openExpendableChannel: next, drop: vi.fn() } as unknown as Session;
};

const consumerOf = (
  handle: (message: IncomingMessage) => Promise<typeof DONE> = () => Promise.resolve(DONE),
  handBackPauseMs?: number,
  logger: BrokerLogger = silent,
) =>
  new QueueConsumer(
    { queue: 'dispatcher.due', prefetch: 10, handBackPauseMs, attachAgainMs: ATTACH_AGAIN_MS },
    handle,
    {} as SafePublisher,
    logger,
  );

/** Lets everything run that waits for nothing but other promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('QueueConsumer', () => {
  it('ends without a consumer when it is paused while the first consume is under way', async () => {
    const channel = new HeldChannel();
    const consumer = consumerOf();
    const attached = consumer.attach(sessionOf(channel));
    await settled();
    const paused = consumer.pause();
    channel.answerConsume();
    await Promise.all([attached, paused]);
    expect(channel.consumers.size).toBe(0);
    expect(consumer.healthy).toBe(true);
  });

  it('never has two consumers, however often it is paused and resumed while one is under way', async () => {
    const channel = new HeldChannel();
    const consumer = consumerOf();
    const attached = consumer.attach(sessionOf(channel));
    await settled();
    const changes = [consumer.pause(), consumer.resume(), consumer.pause(), consumer.resume()];
    await settled();
    expect(channel.consumers.size).toBe(1);
    channel.answerConsume();
    await Promise.all([attached, ...changes]);
    expect([...channel.consumers]).toEqual(['tag-1']);
    await consumer.stop();
    expect(channel.consumers.size).toBe(0);
  });

  it('is attached to another channel when that of a queue on one node was closed', async () => {
    const [first, second] = [new HeldChannel(), new HeldChannel()];
    const consumer = consumerOf();
    const attached = consumer.attachOnceThere(sessionOf(first, second), {
      name: 'dispatcher.due',
      options: {},
    } as never);
    await settled();
    first.answerConsume();
    await attached;
    first.emit('close');
    expect(consumer.healthy).toBe(false);
    await vi.waitFor(() => expect(second.consumers.size).toBe(1));
    second.answerConsume();
    await settled();
    expect(consumer.healthy).toBe(true);
  });

  it.each(['assertQueue', 'prefetch', 'consume'] as const)(
    'is attached once, after one pause, when the broker answered %s by closing the channel',
    async (refused) => {
      const [first, second] = [new HeldChannel(), new HeldChannel()];
      const refuse = (): Promise<never> => {
        first.emit('close');
        return Promise.reject(new Error('refused'));
      };
      Object.assign(first, { [refused]: refuse });
      const consumer = consumerOf();
      const open = vi.fn(() => Promise.resolve([first, second][open.mock.calls.length - 1]! as unknown as Channel));
      const session = Object.assign(sessionOf(), { openExpendableChannel: open });
      await consumer.attachOnceThere(session, { name: 'dispatcher.due', arguments: {} });
      expect([consumer.healthy, open.mock.calls.length]).toEqual([false, 1]);
      await vi.waitFor(() => expect(second.consumers.size).toBe(1));
      second.answerConsume();
      await settled();
      // A second try that the same refusal had begun would have come by now.
      await new Promise((resolve) => setTimeout(resolve, 5 * ATTACH_AGAIN_MS));
      expect([consumer.healthy, second.consumers.size, open.mock.calls.length]).toEqual([true, 1, 2]);
    },
  );

  it('waits no longer than it may for a queue that owes its answer, and takes the channel that gives it first', async () => {
    const [first, second] = [new HeldChannel(), new HeldChannel()];
    let answer = (): void => undefined;
    Object.assign(first, { assertQueue: () => new Promise<void>((resolve) => (answer = resolve)) });
    Object.assign(second, {
      consume: () => Promise.resolve({ consumerTag: String(second.consumers.add('tag-2').size) }),
    });
    const source = { queue: 'dispatcher.due', prefetch: 10, attachAgainMs: ATTACH_AGAIN_MS, attachWithinMs: 20 };
    const consumer = new QueueConsumer(source, () => Promise.resolve(DONE), {} as SafePublisher, silent);
    await consumer.attachOnceThere(sessionOf(first, second), { name: 'dispatcher.due', arguments: {} });
    expect(consumer.healthy).toBe(false);
    await vi.waitFor(() => expect(consumer.healthy).toBe(true));
    // Too late: nobody waits for it any more.
    answer();
    await settled();
    expect([consumer.healthy, first.consumers.size, second.consumers.size]).toEqual([true, 0, 1]);
  });

  it('handles what it has of a queue that was deleted, since nobody else has it, and starts anew at once', async () => {
    const channel = new HeldChannel();
    let finish = (): void => undefined;
    let taken: IncomingMessage | undefined;
    const consumer = consumerOf((message) => {
      taken = message;
      return new Promise((resolve) => (finish = () => resolve(DONE)));
    });
    const session = sessionOf(channel);
    const attached = consumer.attach(session);
    await settled();
    channel.answerConsume();
    await attached;
    channel.hand();
    channel.cancelled();
    expect(session.drop).toHaveBeenCalledOnce();
    expect([taken!.isOurs(), consumer.healthy]).toEqual([true, false]);
    finish();
    await settled();
    expect([consumer.settled.left, channel.acked]).toEqual([1, []]);
  });

  it('tells a handler that its message was taken back, and acks nothing on a channel that is gone', async () => {
    const channel = new HeldChannel();
    const held: IncomingMessage[] = [];
    let release = (): void => undefined;
    const consumer = consumerOf(async (message) => {
      held.push(message);
      await new Promise<void>((resolve) => (release = resolve));
      return DONE;
    });
    const attached = consumer.attach(sessionOf(channel));
    await settled();
    channel.answerConsume();
    await attached;
    channel.hand();
    await settled();
    expect(held[0]!.isOurs()).toBe(true);
    channel.emit('close');
    expect(held[0]!.isOurs()).toBe(false);
    release();
    await consumer.stop();
    expect(channel.acked).toEqual([]);
  });

  it('hands a message back whose handler threw in the one way that every version counts towards the limit', async () => {
    const channel = new HeldChannel();
    const consumer = consumerOf(() => Promise.reject(new Error('a bug')), 1);
    const attached = consumer.attach(sessionOf(channel));
    await settled();
    channel.answerConsume();
    await attached;
    const message = channel.hand();
    await vi.waitFor(() => expect(channel.rejected).toEqual([{ message, requeue: true }]));
    expect(channel.acked).toEqual([]);
  });

  it.each([
    ['a bug', new Error('a bug'), 1],
    ['that the service stops before its work began', new ServiceStops('no work may begin'), 0],
  ] as const)(
    'that hands a message back tells of a failure only where there is one: %s',
    async (_why, thrown, failures) => {
      const channel = new HeldChannel();
      const error = vi.fn();
      const consumer = consumerOf(() => Promise.reject(thrown), 1, { ...silent, error });
      const attached = consumer.attach(sessionOf(channel));
      await settled();
      channel.answerConsume();
      await attached;
      channel.hand();
      await vi.waitFor(() => expect(channel.rejected).toHaveLength(1));
      expect(error).toHaveBeenCalledTimes(failures);
      expect(consumer.settled).toMatchObject({ handed_back: failures, not_begun: 1 - failures });
    },
  );
});
