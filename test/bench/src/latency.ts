import { setTimeout as delay } from 'node:timers/promises';
import type { BenchStack } from './bench-stack.js';
import { eventText } from './publishing.js';
import { until } from './waiting.js';

export interface Latency {
  readonly perSecond: number;
  readonly events: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** From the 202 to the receiver, ms, at a steady rate over HTTP. */
export async function latency(stack: BenchStack, perSecond: number, seconds: number): Promise<Latency> {
  const formId = `f_latency_${Date.now()}`;
  await stack.form(formId, ['/latency']);
  await send(stack, formId, 20, 20);
  await stack.receiver.arrivals();
  const accepted = await send(stack, formId, perSecond * seconds, perSecond);
  const arrived = new Map<string, number>();
  await until('all events at the receiver', async () => {
    for (const [id, at] of await stack.receiver.arrivals()) arrived.set(id, at);
    // Not by number: late arrivals of the warm-up are among them.
    return [...accepted.keys()].every((id) => arrived.has(id));
  });
  const waits = [...accepted].map(([id, at]) => Math.max(0, arrived.get(id)! - at)).sort((a, b) => a - b);
  return {
    perSecond,
    events: waits.length,
    p50: percentile(waits, 0.5),
    p99: percentile(waits, 0.99),
    max: waits[waits.length - 1]!,
  };
}

/** Posts at a rate. @returns when each submission's 202 was there, ms since the epoch */
async function send(stack: BenchStack, formId: string, count: number, perSecond: number): Promise<Map<string, number>> {
  const accepted = new Map<string, number>();
  const began = Date.now();
  const posts: Promise<void>[] = [];
  for (let n = 0; n < count; n++) {
    await delay(Math.max(0, began + (n * 1_000) / perSecond - Date.now()));
    posts.push(post(stack, formId, `s_timed_${began}_${n}`, accepted));
  }
  await Promise.all(posts);
  return accepted;
}

async function post(stack: BenchStack, formId: string, id: string, accepted: Map<string, number>): Promise<void> {
  const response = await fetch(`${stack.ingestUrl}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.adminKey}`, 'content-type': 'application/json' },
    body: eventText(formId, id, 1_024),
  });
  if (response.status !== 202) throw new Error(`an event was answered ${response.status}`);
  accepted.set(id, Date.now());
  await response.arrayBuffer();
}

export const percentile = (ascending: readonly number[], share: number): number =>
  ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))]!;
