import { EventEmitter } from 'node:events';
import type { ConsumeMessage } from 'amqplib';
import { expect, it, vi } from 'vitest';
import type { BrokerLogger } from '../broker-logger.js';
import type { BrokerLink, LinkStep, Session } from '../connection/broker-link.js';
import { RpcResponder } from './rpc-responder.js';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const request = {
  content: Buffer.from('{}'),
  properties: { replyTo: 'amq.rabbitmq.reply-to.x', correlationId: '1', type: 'ask' },
} as unknown as ConsumeMessage;

/** A channel to a broker that attaches a consumer when the test says so. */
class BrokerChannel extends EventEmitter {
  attached = (): void => undefined;
  deliver = (_message: ConsumeMessage): void => undefined;
  readonly ack = vi.fn();
  readonly cancel = vi.fn(async (_tag: string) => undefined);
  readonly prefetch = async (): Promise<void> => undefined;
  readonly sendToQueue = vi.fn();
  readonly consume = vi.fn((_queue: string, take: (message: ConsumeMessage) => void): Promise<unknown> => {
    this.deliver = take;
    return new Promise((resolve) => (this.attached = () => resolve({ consumerTag: 'tag' })));
  });
}

async function stage(logger: BrokerLogger = silent) {
  const [channel, replies] = [new BrokerChannel(), new BrokerChannel()];
  const sessionWith = (one: BrokerChannel) => ({ openChannel: async () => one }) as unknown as Session;
  const steps: LinkStep[] = [];
  const publishing = { addStep: (step: LinkStep) => void steps.push(step) } as unknown as BrokerLink;
  const responder = new RpcResponder('config.rpc', publishing, logger);
  responder.serve('ask', async () => 'the answer');
  for (const step of steps) await step(sessionWith(replies));
  const attach = (): Promise<void> => responder.attach(sessionWith(channel));
  return { responder, channel, replies, attach };
}

it('cancels a consumer that the broker attaches while the service stops already', async () => {
  const { responder, channel, attach } = await stage();
  const attaching = attach();
  await vi.waitFor(() => expect(channel.consume).toHaveBeenCalledOnce());
  await responder.stop();
  channel.attached();
  await attaching;
  expect(channel.cancel).toHaveBeenCalledExactlyOnceWith('tag');
});

it('takes no requests by a connection that comes back while the service stops', async () => {
  const { responder, channel, attach } = await stage();
  await responder.stop();
  await attach();
  expect(channel.consume).not.toHaveBeenCalled();
});

it('settles a request whose answer can not be sent, or it would keep its place as long as the channel lives', async () => {
  const { channel, replies, attach } = await stage();
  const attaching = attach();
  await vi.waitFor(() => expect(channel.consume).toHaveBeenCalledOnce());
  channel.attached();
  await attaching;
  replies.sendToQueue.mockImplementation(() => {
    throw new Error('Channel closed');
  });
  channel.deliver(request);
  await vi.waitFor(() => expect(channel.ack).toHaveBeenCalledExactlyOnceWith(request));
});

it('tells once a minute that calls fail alike, as while the database is away, and of another failure at once', async () => {
  const [error, debug] = [vi.fn(), vi.fn()];
  const { responder, channel, attach } = await stage({ ...silent, error, debug });
  const codes = ['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED', '42501'];
  responder.serve('ask', () => Promise.reject(Object.assign(new Error('refused'), { code: codes.shift() })));
  const attaching = attach();
  await vi.waitFor(() => expect(channel.consume).toHaveBeenCalledOnce());
  channel.attached();
  await attaching;
  for (let n = 0; n < 4; n++) channel.deliver(request);
  await vi.waitFor(() => expect(channel.ack).toHaveBeenCalledTimes(4));
  expect([error.mock.calls.length, debug.mock.calls.length]).toEqual([2, 2]);
});
