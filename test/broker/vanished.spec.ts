import {
  Broker,
  EXCHANGES,
  QUEUES,
  standingTopology,
  TO_DELIVERIES,
  TO_EVENTS,
  TO_LOG,
  toOwnQueue,
  toQueue,
  type Destination,
  type Owner,
} from '@form-webhooks/broker';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { emptyBroker, Probe, testLogger } from '../support/broker.js';

const WAIT = { timeout: 30_000, interval: 25 };
const { exchanges, queues, singleNodeQueues, bindings } = standingTopology();
const message = { headers: {}, body: Buffer.from('a message') };

/** Somebody deletes something, and says where a message then finds nobody. */
interface Vanishing {
  readonly what: string;
  readonly remove: (probe: Probe) => Promise<unknown>;
  readonly to: Destination;
  readonly queue: string;
}

const PUBLISHED: Readonly<Record<string, Destination>> = {
  [QUEUES.events]: TO_EVENTS,
  [QUEUES.deliveries]: TO_DELIVERIES,
  [QUEUES.deliveryLog]: TO_LOG,
  [QUEUES.formEvents]: { exchange: EXCHANGES.formEvents, routingKey: 'submission.created' },
};
const wayTo = (queue: string): Destination => PUBLISHED[queue] ?? toOwnQueue(queue);

const VANISHINGS: readonly Vanishing[] = [
  ...bindings.map(({ exchange, queue, routingKey = '#' }) => ({
    what: `the binding of ${queue} to ${exchange}`,
    remove: ({ channel }: Probe) => channel.unbindQueue(queue, exchange, routingKey),
    to: { exchange, routingKey: routingKey === '#' ? 'any' : routingKey },
    queue,
  })),
  ...exchanges
    .filter(({ name }) => name !== EXCHANGES.configChanges)
    .map(({ name }) => {
      const { queue, routingKey = 'any' } = bindings.find(({ exchange }) => exchange === name)!;
      const remove = ({ channel }: Probe) => channel.deleteExchange(name);
      return { what: `the exchange ${name}`, remove, to: { exchange: name, routingKey }, queue };
    }),
  ...[...queues, ...singleNodeQueues].map(({ name }) => ({
    what: `the queue ${name}`,
    remove: ({ channel }: Probe) => channel.deleteQueue(name),
    to: wayTo(name),
    queue: name,
  })),
];

describe('what somebody deletes while the services are connected', () => {
  const brokers = new Map<Owner, Broker>();
  const heard: string[] = [];

  beforeAll(async () => {
    await emptyBroker(brokerUrl());
    for (const owner of ['config', 'dispatcher', 'ingest'] as const) {
      const broker = new Broker({
        url: brokerUrl(),
        name: `vanished ${owner}`,
        owner,
        logger: testLogger,
        checkTopologyEveryMs: 500,
      });
      brokers.set(owner, broker);
      if (owner !== 'config') {
        broker.subscribe(
          EXCHANGES.configChanges,
          (body) => heard.push(`${owner} ${body.toString()}`),
          () => undefined,
        );
      }
      await broker.start();
    }
    for (const broker of brokers.values()) await broker.whenReady();
  }, 60_000);
  afterAll(async () => {
    for (const broker of brokers.values()) await broker.close();
  });

  const status = () => [...brokers.values()].map((broker) => broker.status());
  const allReady = () =>
    vi.waitFor(() => {
      for (const { publishing, consuming, topology } of status()) {
        expect({ publishing, consuming, topology }).toEqual({ publishing: true, consuming: true, topology: true });
      }
    }, WAIT);

  it.each(VANISHINGS)('$what is noticed, and stands again for the next message', async ({ remove, to, queue }) => {
    await allReady();
    const probe = await Probe.open(brokerUrl());
    // Not its owner, who would notice by itself.
    const { publisher } = brokers.get(queue.startsWith('ingest.') ? 'dispatcher' : 'ingest')!;
    await publisher.publish(to, message);
    await remove(probe);
    await vi.waitFor(() => publisher.publish(to, message), WAIT);
    await vi.waitFor(async () => {
      const found = await Probe.open(brokerUrl());
      expect(await found.depth(queue)).toBeGreaterThan(0);
    }, WAIT);
    await allReady();
    await (await Probe.open(brokerUrl())).channel.purgeQueue(queue);
  });

  it('a service is not ready after a message came back, until one is taken', async () => {
    await allReady();
    const probe = await Probe.open(brokerUrl());
    const slow = new Broker({ url: brokerUrl(), name: 'vanished slow', owner: 'nobody', logger: testLogger });
    await slow.start();
    await slow.whenReady();
    try {
      const to = toQueue('dispatcher.due');
      await slow.publisher.publish(to, message);
      // Until half a second later at most: the owner may look, and declare it again, before the message is there.
      await vi.waitFor(async () => {
        await probe.channel.deleteQueue('dispatcher.due');
        await expect(slow.publisher.publish(to, message)).rejects.toMatchObject({ code: 'unroutable' });
      }, WAIT);
      expect(slow.status().topology).toBe(false);
      await vi.waitFor(() => slow.publisher.publish(to, message), WAIT);
      expect(slow.status().topology).toBe(true);
    } finally {
      await slow.close();
    }
  });

  it('notices of changes are heard again after their exchange or their binding is gone', async () => {
    await allReady();
    const probe = await Probe.open(brokerUrl());
    await probe.channel.deleteExchange(EXCHANGES.configChanges);
    await vi.waitFor(async () => {
      heard.length = 0;
      await brokers.get('config')!.publisher.broadcast(EXCHANGES.configChanges, Buffer.from('again'));
      await vi.waitFor(() => expect(heard.sort()).toEqual(['dispatcher again', 'ingest again']), { timeout: 500 });
    }, WAIT);
  });
});
