import { connect, type Channel } from 'amqplib';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault, Scene } from './fault.js';

/*
 * What somebody can delete under live connections. What lies in a queue goes with it, so a queue is deleted when nothing
 * lies in it. Nothing undoes it but the services themselves.
 */

/** Where messages lie that nobody takes. */
const ASIDE = /\.(parked|crashed|rejected)$/;
/** What lies in these is nowhere else until somebody takes it: what came in the moment of a deletion is lost with them. */
const ONLY_COPY = /^(ingest\.form-events|dispatcher\.events|config\.delivery-log)/;
/** Until the reconciler has found what was published in the moment of a deletion: its grace, and two looks, ms. */
const FOUND_WITHIN_MS = 100_000;
const CANARY_WITHIN_MS = 120_000;
/** How long a queue may take to be empty for a moment, ms; one that isn't is left alone. */
const EMPTY_WITHIN_MS = 10_000;

interface Binding {
  readonly source_name: string;
  readonly destination_name: string;
  readonly routing_key: string;
}

/** Of queues that live as long as a connection: their owners bind them again at their next check. */
const LASTING_QUEUE = /^(dispatcher|config|ingest)\./;

/** Those that the services declare between their exchanges and queues. */
async function bindings({ stage }: Scene): Promise<Binding[]> {
  const columns = ['source_name', 'destination_name', 'routing_key'];
  const text = await stage.broker.ctl('list_bindings', '--quiet', '--formatter', 'json', ...columns);
  return (JSON.parse(text) as Binding[]).filter(
    ({ source_name: source, destination_name: queue }) => source !== '' && LASTING_QUEUE.test(queue),
  );
}

async function withChannel({ stage }: Scene, act: (channel: Channel) => Promise<unknown>): Promise<void> {
  const connection = await connect(stage.broker.url.split(',')[0]!);
  try {
    await act(await connection.createChannel());
  } finally {
    await connection.close();
  }
}

const unbind = (channel: Channel, { source_name, destination_name, routing_key }: Binding): Promise<unknown> =>
  channel.unbindQueue(destination_name, source_name, routing_key);

const bindingDeleted: Fault = {
  kind: 'a binding deleted',
  async strike(scene) {
    const binding = scene.random.pick(await bindings(scene));
    await withChannel(scene, (channel) => unbind(channel, binding));
    scene.healing();
  },
};

const allBindingsDeleted: Fault = {
  kind: 'every binding deleted',
  async strike(scene) {
    const all = await bindings(scene);
    await withChannel(scene, async (channel) => {
      for (const binding of all) await unbind(channel, binding);
    });
    scene.healing();
  },
};

const exchangeDeleted: Fault = {
  kind: 'an exchange deleted',
  async strike(scene) {
    const { source_name: exchange } = scene.random.pick(await bindings(scene));
    await withChannel(scene, (channel) => channel.deleteExchange(exchange));
    scene.healing();
  },
};

const allQueuesDeleted: Fault = {
  kind: 'queues of deliveries and calls deleted',
  losesMessages: true,
  async strike(scene) {
    const names = (await scene.stage.broker.ctl('list_queues', '--quiet', '--no-table-headers', 'name'))
      .split('\n')
      .filter((name) => LASTING_QUEUE.test(name) && !ASIDE.test(name) && !ONLY_COPY.test(name));
    let deleted = 0;
    await withChannel(scene, async (channel) => {
      for (const name of names) deleted += Number(await deleteOnceEmpty(channel, name));
    });
    const tookMs = await scene.fly(CANARY_WITHIN_MS);
    scene.note(`${deleted} of ${names.length} queues deleted, an event came through after ${Math.round(tookMs)} ms`);
    await wait(FOUND_WITHIN_MS);
    scene.healing();
  },
};

/** @returns false if it was never seen empty */
async function deleteOnceEmpty(channel: Channel, name: string): Promise<boolean> {
  const deadline = Date.now() + EMPTY_WITHIN_MS;
  while ((await channel.checkQueue(name)).messageCount > 0) {
    if (Date.now() > deadline) return false;
    await wait(20);
  }
  await channel.deleteQueue(name);
  return true;
}

export const TOPOLOGY_FAULTS: readonly Fault[] = [
  bindingDeleted,
  allBindingsDeleted,
  exchangeDeleted,
  allQueuesDeleted,
];
