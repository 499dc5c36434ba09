import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'amqplib';
import type { BenchStack } from '../bench-stack.js';
import { cpuMs, pidsOfTree } from '../cpu-time.js';
import { EventPosts } from '../event-posts.js';
import { eventText } from '../publishing.js';
import { until } from '../waiting.js';

const AT_A_TIME = 16;
/** Node frees memory now and then: the least within so many looks is what is really in use. */
const LOOKS = 20;
const LOOK_EVERY_MS = 250;
const RETRY_QUEUES = 500;

export interface FormMemory {
  readonly forms: number;
  /** Bytes that a form with one endpoint takes in each. */
  readonly dispatcher: number;
  readonly config: number;
  readonly ingest: number;
}

/** Registers forms with one endpoint each, sends an event to each, and looks how much more the services hold. */
export async function formMemory(stack: BenchStack, forms: number): Promise<FormMemory> {
  const before = await heaps(stack);
  const ids = Array.from({ length: forms }, (_, n) => `f_memory_${n}`);
  await each(ids, (id) => stack.form(id, ['/memory']));
  const door = new EventPosts(`${stack.ingestUrl}/v1/events`, stack.adminKey, AT_A_TIME);
  const arrived = await stack.receiver.count();
  await each(ids, async (id) => void (await door.post(eventText(id, 's_memory', 100))));
  await until('an event of each form', async () => (await stack.receiver.count()) - arrived >= forms);
  door.close();
  const after = await heaps(stack);
  const grown = (name: string): number => (after.get(name)! - before.get(name)!) / forms;
  return { forms, dispatcher: grown('dispatcher'), config: grown('config'), ingest: grown('ingest') };
}

async function each(ids: readonly string[], act: (id: string) => Promise<void>): Promise<void> {
  const left = [...ids];
  const work = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) await act(id);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

/** The least heap in use of each service within some seconds, bytes. */
async function heaps(stack: BenchStack): Promise<Map<string, number>> {
  const least = new Map<string, number>();
  for (let look = 0; look < LOOKS; look += 1) {
    for (const [name, url] of stack.healthUrls) {
      const text = await (await fetch(`${url}/metrics`)).text();
      const used = Number(/^nodejs_heap_size_used_bytes\S* (\S+)/m.exec(text)?.[1]);
      least.set(name, Math.min(least.get(name) ?? Infinity, used));
    }
    await delay(LOOK_EVERY_MS);
  }
  return least;
}

/** Bytes that the broker holds for an endpoint's own retry queue that is empty. */
export async function retryQueueBytes(stack: BenchStack): Promise<number> {
  const connection = await connect(stack.rabbitmq.url);
  try {
    const channel = await connection.createChannel();
    const before = residentBytes(stack.serverPid('rabbitmq'));
    for (let n = 0; n < RETRY_QUEUES; n += 1) {
      const delays = { 'x-queue-type': 'classic', 'x-message-ttl': 60_000, 'x-expires': 600_000 };
      await channel.assertQueue(`bench.retry.${n}`, { durable: true, arguments: delays });
    }
    await delay(2_000);
    const grown = residentBytes(stack.serverPid('rabbitmq')) - before;
    for (let n = 0; n < RETRY_QUEUES; n += 1) await channel.deleteQueue(`bench.retry.${n}`);
    return grown / RETRY_QUEUES;
  } finally {
    await connection.close();
  }
}

/** Messages a second through one quorum queue, and what a core of this program takes of it. */
export async function queueRate(
  stack: BenchStack,
  messages: number,
): Promise<{ readonly perSecond: number; readonly ownShare: number }> {
  const connection = await connect(stack.rabbitmq.url);
  try {
    const [out, into] = [await connection.createConfirmChannel(), await connection.createChannel()];
    const queue = 'bench.rate';
    await out.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    let taken = 0;
    await into.prefetch(1_000);
    await into.consume(queue, (message) => {
      taken += 1;
      if (message) into.ack(message);
    });
    const body = Buffer.alloc(1_024);
    const [began, cpu] = [performance.now(), cpuMs(process.pid)];
    for (let n = 1; n <= messages; n += 1) {
      out.publish('', queue, body, { persistent: true });
      if (n % 500 === 0) await out.waitForConfirms();
    }
    await out.waitForConfirms();
    await until('all messages through one queue', () => Promise.resolve(taken >= messages));
    const ms = performance.now() - began;
    await out.deleteQueue(queue);
    return { perSecond: (messages / ms) * 1_000, ownShare: (cpuMs(process.pid) - cpu) / ms };
  } finally {
    await connection.close();
  }
}

/** Of a process and everything below it. */
export const residentBytes = (root: number): number => pidsOfTree(root).reduce((sum, pid) => sum + resident(pid), 0);

function resident(pid: number): number {
  try {
    return 1_024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // It ended between the listing and the look.
  }
}
