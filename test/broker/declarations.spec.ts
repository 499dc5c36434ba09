import { Broker, ownTopology, standingTopology, QUEUES, type BrokerLogger, type Owner } from '@form-webhooks/broker';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { emptyBroker, Probe, testLogger } from '../support/broker.js';

const WAIT = { timeout: 30_000, interval: 50 };
const url = brokerUrl();

beforeEach(() => emptyBroker(url));

async function start(owner: Owner, logger: BrokerLogger = testLogger): Promise<Broker> {
  const broker = new Broker({ url, name: owner, owner, logger });
  onTestFinished(() => broker.close());
  await broker.start();
  return broker;
}

const isReady = (broker: Broker) => {
  const { publishing, consuming } = broker.status();
  return publishing && consuming;
};

/** One that finds what others declare missing: resolves once each of its connections has tried. */
async function startTooEarly(owner: Owner): Promise<Broker> {
  const warn = vi.fn<BrokerLogger['warn']>();
  const broker = await start(owner, { debug: vi.fn(), info: vi.fn(), error: vi.fn(), warn });
  const missed = (): unknown[] =>
    warn.mock.calls
      .map(([facts]) => facts as { readonly connection?: string; readonly err?: Error })
      .filter(({ err }) => err?.message.includes('is not there yet'))
      .map(({ connection }) => connection);
  const connections = [`${owner} publishing`, `${owner} consuming`];
  await vi.waitFor(() => expect(missed()).toEqual(expect.arrayContaining(connections)), WAIT);
  return broker;
}

async function exists(queue: string): Promise<boolean> {
  const probe = await Probe.open(url);
  return probe.channel.checkQueue(queue).then(
    () => true,
    () => false,
  );
}

describe('a service', () => {
  it('declares what is its own and nothing else', async () => {
    const config = await start('config');
    await config.whenReady();
    const { queues, singleNodeQueues } = standingTopology();
    const own = ownTopology('config', standingTopology()).queues.map(({ name }) => name);
    expect(own.length).toBeGreaterThan(3);
    for (const { name } of [...queues, ...singleNodeQueues]) expect(await exists(name), name).toBe(own.includes(name));
  });

  it('waits for what others declare, in whatever order they are started', async () => {
    const ingest = await startTooEarly('ingest');
    const dispatcher = await startTooEarly('dispatcher');
    expect([isReady(ingest), isReady(dispatcher)]).toEqual([false, false]);
    await start('config');
    await vi.waitFor(() => expect([isReady(dispatcher), isReady(ingest)]).toEqual([true, true]), WAIT);
  });

  it('keeps a queue as a version before declared it', async () => {
    for (const owner of ['config', 'dispatcher'] as const) await (await start(owner)).whenReady();
    const { name, former } = standingTopology().queues.find(({ former }) => former !== undefined)!;
    expect(name).toBe(QUEUES.formEvents);
    const probe = await Probe.open(url);
    await probe.channel.assertQueue(name, { durable: true, arguments: former });
    probe.channel.sendToQueue(name, Buffer.from('waits'), { persistent: true });
    await vi.waitFor(async () => expect(await probe.depth(name)).toBe(1), WAIT);
    await (await start('ingest')).whenReady();
    expect(await probe.depth(name)).toBe(1);
  });
});

it('every exchange, queue and binding has one owner, and a queue is bound by the service that takes from it', () => {
  const all = standingTopology();
  const parts = (['config', 'dispatcher', 'ingest'] as const).map((owner) => ownTopology(owner, all));
  for (const kind of ['exchanges', 'queues', 'singleNodeQueues', 'bindings'] as const) {
    expect(new Set(parts.flatMap((part) => part[kind] as readonly object[]))).toEqual(new Set<object>(all[kind]));
    expect(parts.reduce((sum, part) => sum + part[kind].length, 0)).toBe(all[kind].length);
  }
});
