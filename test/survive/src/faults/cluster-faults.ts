import type { BrokerCluster } from '../stage/broker-cluster.js';
import type { Fault, Scene } from './fault.js';
import { killAny } from './process-faults.js';

/*
 * What can happen to single nodes of a cluster. The product has to go on meanwhile: two of three are a majority.
 */

type Node = BrokerCluster['nodes'][number];

const LONGEST_DETOUR_MS = 120_000;

function clusterOf({ stage }: Scene): BrokerCluster {
  if (!stage.cluster) throw new Error('this fault needs a cluster');
  return stage.cluster;
}

/** With one node away, events must still come through. */
const oneAway = (
  kind: string,
  down: (cluster: BrokerCluster, node: Node) => Promise<void>,
  might: Pick<Fault, 'losesMessages'> = {},
): Fault => ({
  kind,
  ...might,
  async strike(scene) {
    const cluster = clusterOf(scene);
    const node = scene.random.pick(cluster.nodes);
    await down(cluster, node);
    await scene.stage.untilReady(LONGEST_DETOUR_MS);
    await scene.goesOn(LONGEST_DETOUR_MS);
    await scene.last('short');
    await killAny(scene);
    await scene.last('short');
    scene.healing();
    await node.start();
  },
});

/** Two nodes die, the second as soon as the first is back. */
const oneThenTheNext: Fault = {
  kind: 'cluster node kill -9, then the next',
  losesMessages: true,
  async strike(scene) {
    const cluster = clusterOf(scene);
    const first = scene.random.integer(0, cluster.nodes.length - 1);
    for (const step of [0, 1]) {
      const node = cluster.nodes[(first + step) % cluster.nodes.length]!;
      await node.kill();
      await scene.stage.untilReady(LONGEST_DETOUR_MS);
      await scene.goesOn(LONGEST_DETOUR_MS);
      scene.healing();
      await node.start();
    }
  },
};

/** One node and the two others don't see each other: those two are the majority, and go on. */
const partition: Fault = {
  kind: 'cluster partition',
  losesMessages: true,
  async strike(scene) {
    const cluster = clusterOf(scene);
    const node = scene.random.pick(cluster.nodes);
    await cluster.cutOff(node);
    await scene.last('short');
    await scene.stage.untilReady(LONGEST_DETOUR_MS);
    await scene.goesOn(LONGEST_DETOUR_MS);
    scene.healing();
    await cluster.reconnect(node);
  },
};

/** As an upgrade does it: each node in turn, the next once the one before is back. */
const rolling: Fault = {
  kind: 'cluster rolling restart',
  async strike(scene) {
    const cluster = clusterOf(scene);
    for (const node of cluster.nodes) {
      await cluster.shutDown(node);
      await node.start();
      await scene.stage.untilReady(LONGEST_DETOUR_MS);
    }
    scene.healing();
  },
};

/** Its disk is gone: the others forget it, and an empty node takes its place and a copy of each queue. */
const lostForGood: Fault = {
  kind: 'cluster node lost for good',
  losesMessages: true,
  async strike(scene) {
    const cluster = clusterOf(scene);
    const node = cluster.nodes.at(-1)!;
    await node.kill();
    await scene.stage.untilReady(LONGEST_DETOUR_MS);
    await scene.goesOn(LONGEST_DETOUR_MS);
    scene.healing();
    scene.note(await cluster.replace(node));
  },
};

const allKilled: Fault = {
  kind: 'cluster kill -9 of all nodes',
  losesMessages: true,
  async strike(scene) {
    await scene.stage.broker.kill();
    scene.healing();
    await scene.stage.broker.start();
  },
};

export const CLUSTER_FAULTS: readonly Fault[] = [
  oneAway('cluster node kill -9', (_cluster, node) => node.kill(), { losesMessages: true }),
  oneAway('cluster node shut down', (cluster, node) => cluster.shutDown(node)),
  oneThenTheNext,
  partition,
  rolling,
  lostForGood,
  allKilled,
];
