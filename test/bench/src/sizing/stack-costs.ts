import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { BenchStack } from '../bench-stack.js';
import { cpuMs, cpuMsOfTree } from '../cpu-time.js';
import { EventPosts } from '../event-posts.js';
import { SteadyLoad } from '../isolation/steady-load.js';
import { until } from '../waiting.js';
import { PARTS, SERVICES, type Part } from './model.js';

const CONNECTIONS = 64;
/** So long it takes until what follows from the last delivery is written. */
const REST_MS = 2_000;

/** What a burst of events came to. */
export interface Burst {
  readonly endpoints: number;
  readonly perSecond: number;
  /** CPU ms of an event in each part. */
  readonly cpuPerEvent: Readonly<Record<Part, number>>;
  /** CPU ms of a delivery in what sends the events and takes the deliveries. */
  readonly othersPerDelivery: number;
  /** How many cores all of them together got. */
  readonly cores: number;
  readonly logBytesPerDelivery: number;
  readonly walBytesPerDelivery: number;
}

/** Sends events as fast as they are taken, and reckons what each cost once all are delivered and written down. */
export async function burst(
  stack: BenchStack,
  forms: readonly string[],
  endpoints: number,
  events: number,
): Promise<Burst> {
  const load = new SteadyLoad(openDoor(stack), forms, `s_size${endpoints}`);
  const [before, bytes, arrived] = [cpuOf(stack), await databaseBytes(stack), await stack.receiver.count()];
  const began = Date.now();
  await load.burst(events);
  await load.stop();
  const deliveries = load.accepted.size * endpoints;
  const last = async (): Promise<boolean> => (await stack.receiver.count()) - arrived >= deliveries;
  await until(`${deliveries} deliveries`, last);
  const seconds = (Date.now() - began) / 1_000;
  await delay(REST_MS);
  const [after, bytesAfter] = [cpuOf(stack), await databaseBytes(stack)];
  const used = new Map([...after].map(([name, ms]) => [name, ms - before.get(name)!]));
  const total = [...used.values()].reduce((sum, ms) => sum + ms, 0);
  return {
    endpoints,
    perSecond: deliveries / seconds,
    cpuPerEvent: Object.fromEntries(
      PARTS.map((part) => [part, used.get(part)! / load.accepted.size]),
    ) as Burst['cpuPerEvent'],
    othersPerDelivery: used.get('others')! / deliveries,
    cores: total / 1_000 / seconds,
    logBytesPerDelivery: (bytesAfter.log - bytes.log) / deliveries,
    walBytesPerDelivery: (bytesAfter.wal - bytes.wal) / deliveries,
  };
}

const openDoor = (stack: BenchStack): EventPosts =>
  new EventPosts(`${stack.ingestUrl}/v1/events`, stack.adminKey, CONNECTIONS);

/** CPU time so far of each part, and of the driver with the receiver, ms. */
function cpuOf(stack: BenchStack): Map<string, number> {
  const services = SERVICES.map((name): [string, number] => [
    name,
    stack.pidsOf(name).reduce((sum, pid) => sum + cpuMs(pid), 0),
  ]);
  return new Map([
    ...services,
    ['rabbitmq', cpuMsOfTree(stack.serverPid('rabbitmq'))],
    ['postgres', cpuMsOfTree(stack.serverPid('postgres'))],
    ['others', cpuMs(process.pid) + cpuMs(stack.receiver.pid)],
  ]);
}

async function databaseBytes(stack: BenchStack): Promise<{ readonly log: number; readonly wal: number }> {
  const client = new pg.Client({ connectionString: stack.postgres.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ log: string; wal: string }>(
      `SELECT pg_database_size(current_database()) AS log, pg_current_wal_lsn() - '0/0'::pg_lsn AS wal`,
    );
    return { log: Number(rows[0]!.log), wal: Number(rows[0]!.wal) };
  } finally {
    await client.end();
  }
}
