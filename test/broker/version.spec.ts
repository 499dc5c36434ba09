import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Broker, QUEUES, type IncomingMessage } from '@form-webhooks/broker';
import { pino } from 'pino';
import { brokerUrl } from '../support/broker-url.js';
import { declareEverything, Probe, startBroker, startServer } from '../support/broker.js';

/* A broker that says that it is older than it is, and what is counted by the one that is there. */

const WAIT = { timeout: 20_000, interval: 20 };

/** The broker behind a way that says another version of it; of as many characters, as a table has lengths in it. */
class Disguise {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  says: (version: string) => string = (version) => version;

  constructor(target: URL) {
    this.server = createServer((client) => {
      const broker = connect(Number(target.port), target.hostname);
      for (const socket of [client, broker]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          client.destroy();
          broker.destroy();
        });
      }
      client.pipe(broker);
      broker.once('data', (first: Buffer) => {
        client.write(this.disguised(first));
        broker.pipe(client);
      });
    });
  }

  async open(target: URL): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const url = new URL(target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.toString();
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private disguised(greeting: Buffer): Buffer {
    const text = greeting.toString('latin1');
    return Buffer.from(text.replace(/(?<=\x07versionS.{4})[\d.]+/s, this.says), 'latin1');
  }
}

const target = new URL(brokerUrl());
const disguise = new Disguise(target);
let url: string;

beforeAll(async () => {
  await declareEverything(brokerUrl());
  url = await disguise.open(target);
});
afterAll(() => disguise.close());

it('a broker that is too old is refused in plain words, and one that was upgraded is used without a restart', async () => {
  disguise.says = (version) => '2.9'.padEnd(version.length, '0');
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const broker = new Broker({ url, name: 'test', logger });
  try {
    await broker.start();
    await vi.waitFor(() => expect(lines.join('')).toContain('the broker is too old: upgrade it'), WAIT);
    const refusal = /RabbitMQ 2\.90* is too old: RabbitMQ 3\.10 or later is needed/;
    await vi.waitFor(() => expect(lines.join('')).toMatch(refusal), WAIT);
    expect(broker.status()).toMatchObject({ publishing: false, consuming: false, version: false });
    disguise.says = (version) => version;
    await broker.whenReady();
    expect(broker.status()).toMatchObject({ publishing: true, consuming: true, version: true });
  } finally {
    await broker.close();
  }
});

it('counts how often a message was handed back, so that one that always fails comes to its limit', async () => {
  const seen: IncomingMessage[] = [];
  const handle = (message: IncomingMessage): Promise<never> => {
    seen.push(message);
    return Promise.reject(new Error('a bug'));
  };
  await startServer(brokerUrl(), { [QUEUES.deliveryLog]: handle as never }, { handBackPauseMs: 1 });
  const broker = await startBroker(brokerUrl());
  const probe = await Probe.open(brokerUrl());
  await broker.publisher.publish(
    { exchange: '', routingKey: QUEUES.deliveryLog },
    { headers: {}, body: Buffer.from('x') },
  );
  await vi.waitFor(async () => expect(await probe.depth(`${QUEUES.deliveryLog}.parked`)).toBe(1), WAIT);
  expect(Math.max(...seen.map(({ headers }) => Number(headers['x-delivery-count'] ?? 0)))).toBe(50);
  await probe.channel.purgeQueue(`${QUEUES.deliveryLog}.parked`);
});
