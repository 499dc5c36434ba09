import { connect, type Channel, type ChannelModel, type ConsumeMessage } from 'amqplib';
import { pino } from 'pino';
import type { RabbitMqServer } from '@form-webhooks/local';
import { onTestFinished } from 'vitest';
import {
  Broker,
  BrokerServer,
  DELIVERY_LIMIT,
  standingTopology,
  type BrokerOptions,
  type BrokerServerOptions,
} from '@form-webhooks/broker';

/** Silent unless TEST_LOG says how much is wanted. */
export const testLogger = pino({ level: process.env['TEST_LOG'] ?? 'silent' });

/**
 * Makes the broker save its directory of quorum queues. It writes that some 0.5 to 1 s after a declaration [measured on
 * 3.10.8]: killed before, it comes back with a queue that is empty, whatever it confirmed, or that can't be started any
 * more. A test whose subject is the kill strikes queues that exist.
 */
export async function saveQueues(server: RabbitMqServer): Promise<void> {
  await server.ctl('eval', '[ok = dets:sync(Table) || Table <- dets:all()].');
}

/** Declares what all services together do, for a test that starts only some of them. */
export async function declareEverything(url: string): Promise<void> {
  const broker = new Broker({ url, name: 'test', logger: testLogger });
  await broker.start();
  await broker.whenReady();
  await broker.close();
}

/** Deletes what the product declares, so that a test file starts from nothing. */
export async function emptyBroker(url: string): Promise<void> {
  const connection = await connect(url);
  const channel = await connection.createChannel();
  const { exchanges, queues, singleNodeQueues } = standingTopology();
  for (const { name } of [...queues, ...singleNodeQueues]) await channel.deleteQueue(name);
  for (const { name } of exchanges) await channel.deleteExchange(name);
  await channel.close();
  await connection.close();
}

/** A started broker that closes with the test. */
export async function startBroker(url: string, options: Partial<BrokerOptions> = {}): Promise<Broker> {
  const broker = new Broker({ url, name: 'test', logger: testLogger, ...options });
  onTestFinished(() => broker.close());
  await broker.start();
  await broker.whenReady();
  return broker;
}

/** A server with handlers as Nest would register them, listening before its broker starts. */
export async function startServer(
  url: string,
  handlers: Readonly<Record<string, (message: never) => Promise<unknown>>>,
  options: BrokerServerOptions & { readonly rpc?: boolean } = {},
): Promise<{ broker: Broker; server: BrokerServer }> {
  const broker = new Broker({ url, name: 'test server', logger: testLogger });
  const server = new BrokerServer(broker, options);
  for (const [pattern, handle] of Object.entries(handlers)) {
    server.addHandler(pattern, handle as never, options.rpc !== true);
  }
  server.listen(() => undefined);
  onTestFinished(async () => {
    await server.close();
    await broker.close();
  });
  await broker.start();
  await broker.whenReady();
  return { broker, server };
}

/** How often a queue may look empty while what was in hand comes back to it. */
const EMPTY_LOOKS = 1_000;

/**
 * Takes the first message of a queue and ends with it in hand, as a process does that dies of it, so often that the
 * message is past its limit. That counts on every version of RabbitMQ; a `nack` does not on 4.3.
 */
export async function dieOfFirst(connection: ChannelModel, queue: string): Promise<void> {
  let empty = 0;
  for (let died = 0; died <= DELIVERY_LIMIT;) {
    const channel = await connection.createChannel();
    const message = await channel.get(queue);
    if (message) died += 1;
    else if (++empty > EMPTY_LOOKS) throw new Error(`nothing comes back to ${queue} after ${died} times`);
    await channel.close();
  }
}

/** A bare connection to look at queues from outside. */
export class Probe {
  private constructor(
    readonly connection: ChannelModel,
    readonly channel: Channel,
  ) {}

  static async open(url: string): Promise<Probe> {
    const connection = await connect(url);
    connection.on('error', () => undefined);
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    const probe = new Probe(connection, channel);
    onTestFinished(() => probe.close());
    return probe;
  }

  /** Messages that wait in a queue, not counting unacked ones. */
  async depth(queue: string): Promise<number> {
    return (await this.channel.checkQueue(queue)).messageCount;
  }

  /** Takes everything that arrives in a queue from now on, acked. */
  async collect(queue: string): Promise<ConsumeMessage[]> {
    const messages: ConsumeMessage[] = [];
    await this.channel.consume(
      queue,
      (message) => {
        if (message) messages.push(message);
      },
      { noAck: true },
    );
    return messages;
  }

  async close(): Promise<void> {
    await this.connection.close().catch(() => undefined);
  }
}
