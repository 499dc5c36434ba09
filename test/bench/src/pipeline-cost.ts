import { setTimeout as delay } from 'node:timers/promises';
import { nearestRank } from '@form-webhooks/domain';
import type { Provided } from '@form-webhooks/local';
import { cpuMs, cpuMsOfTree } from './cpu-time.js';
import type { BenchStack } from './bench-stack.js';
import type { EventPosts } from './event-posts.js';
import { SteadyLoad } from './isolation/steady-load.js';
import { until } from './waiting.js';

const AT_100_SECONDS = 10;
const WARM_UP_EVENTS = 300;
/** So long it takes until what follows from the last delivery is written. */
const REST_MS = 2_000;

/** A way from an event to the receiver, the product's or the bare one. */
export interface Pipeline {
  readonly name: string;
  /** Its forms; each has as many endpoints. */
  readonly forms: readonly string[];
  readonly endpoints: number;
  readonly open: () => EventPosts;
  /** Its processes by name, without the servers. */
  readonly pids: () => readonly (readonly [string, number])[];
}

export interface Cost {
  readonly perSecond: number;
  /** CPU ms a delivery of the whole pipeline with its servers, at full load and at 100 events a second, and of each part. */
  readonly cpu: { readonly full: CpuParts; readonly at100: CpuParts };
  /** From the 202 to the receiver at 100 events a second, ms. */
  readonly p50: number;
  readonly p99: number;
}

export interface CpuParts {
  readonly total: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** Drives a pipeline at full load and at 100 events a second. @param run sets its submissions apart from all others */
export async function costOf(stack: BenchStack, pipeline: Pipeline, events: number, run: string): Promise<Cost> {
  await drive(stack, pipeline, `s_timed_${run}w`, (load) => load.burst(WARM_UP_EVENTS));
  const full = await drive(stack, pipeline, `s_timed_${run}f`, (load) => load.burst(events));
  const at100 = await drive(stack, pipeline, `s_timed_${run}s`, async (load) => {
    const running = load.run(100);
    await delay(AT_100_SECONDS * 1_000);
    await load.stop();
    await running;
  });
  const waits = at100.waits.sort((a, b) => a - b);
  return {
    perSecond: full.perSecond,
    cpu: { full: full.cpu, at100: at100.cpu },
    p50: nearestRank(waits, 0.5),
    p99: nearestRank(waits, 0.99),
  };
}

interface Driven {
  readonly perSecond: number;
  readonly cpu: CpuParts;
  readonly waits: number[];
}

async function drive(
  stack: BenchStack,
  pipeline: Pipeline,
  prefix: string,
  send: (load: SteadyLoad) => Promise<void>,
): Promise<Driven> {
  const before = cpuOf(stack, pipeline);
  const load = new SteadyLoad(pipeline.open(), pipeline.forms, prefix);
  const began = Date.now();
  await send(load);
  await load.stop();
  if (load.refused > 0) throw new Error(`${load.refused} events were refused: the load is not what it should be`);
  const arrived: (readonly [string, number])[] = [];
  const deliveries = load.accepted.size * pipeline.endpoints;
  await until(`${deliveries} deliveries of ${pipeline.name}`, async () => {
    arrived.push(...(await stack.receiver.arrivals()).filter(([id]) => load.accepted.has(id)));
    return arrived.length >= deliveries;
  });
  await delay(REST_MS);
  const after = cpuOf(stack, pipeline);
  const parts = Object.fromEntries([...after].map(([name, ms]) => [name, (ms - before.get(name)!) / deliveries]));
  return {
    perSecond: (deliveries / (Math.max(...arrived.map(([, at]) => at)) - began)) * 1_000,
    cpu: { parts, total: Object.values(parts).reduce((sum, ms) => sum + ms, 0) },
    waits: arrived.map(([id, at]) => Math.max(0, at - load.accepted.get(id)!)),
  };
}

/** CPU time so far of a pipeline's processes and of its servers, ms; without the driver and the receiver. */
function cpuOf(stack: BenchStack, pipeline: Pipeline): Map<string, number> {
  const servers = [
    ['rabbitmq', cpuMsOfTree(pidOf(stack.rabbitmq))],
    ['postgres', cpuMsOfTree(pidOf(stack.postgres))],
  ] as const;
  return new Map([...servers, ...pipeline.pids().map(([name, pid]) => [name, cpuMs(pid)] as const)]);
}

function pidOf({ server }: Provided): number {
  if (server?.pid === undefined) throw new Error('a server of somebody else: its cost can not be told');
  return server.pid;
}
