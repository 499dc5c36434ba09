import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { hang, Receiver } from '../support/receiver.js';
import { Stack } from '../support/stack.js';

const HANGING = 20;
const HEALTHY = 4;
const SECONDS = 10;
/** Events a second, to all hanging endpoints together and to all healthy ones. */
const PER_SECOND = { hanging: 60, healthy: 20 };
/** Fewer than the hanging endpoints would hold at a time: each attempt lasts half a minute. */
const SLOTS = 100;
vi.setConfig({ testTimeout: 180_000 });

let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  const times = { ATTEMPT_TIMEOUT: '30s', STOP_TIMEOUT: '30s' };
  stack = await Stack.start({ env: { DISPATCHER_CONCURRENCY: String(SLOTS), ENDPOINT_MAX_IN_FLIGHT: '40', ...times } });
});

afterAll(async () => {
  // First: a stop of the dispatcher waits for its attempts, a hundred of which would hang for half a minute.
  await receiver?.stop();
  await stack?.stop();
});

/** Forms with one endpoint each. @returns their paths, which are also the forms' names after `f_` */
async function endpoints(name: string, count: number, behaviour?: typeof hang): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, n) => `/${name}${n}`);
  for (const path of paths) {
    await stack.registerForm(formOf(path));
    await stack.createEndpoint(formOf(path), receiver.url(path, behaviour));
  }
  return paths;
}

const formOf = (path: string): string => `f_${path.slice(1)}`;

async function post(path: string, n: number): Promise<void> {
  const text = `{"event":"submission.created","form_id":"${formOf(path)}","submission_id":"s_${n}","fields":{}}`;
  const { status } = await stack.post(text);
  expect(status).toBe(202);
}

it('delivers to healthy endpoints within seconds while twenty hang', async () => {
  const [hanging, healthy] = [await endpoints('hanging', HANGING, hang), await endpoints('healthy', HEALTHY)];
  // They have shown that they answer: one of which nothing is known can't be told from one that hangs.
  await Promise.all(healthy.map((path, n) => post(path, n)));
  const seen = (): number => healthy.flatMap((path) => receiver.received(path)).length;
  await vi.waitFor(() => expect(seen()).toBe(HEALTHY), { timeout: 30_000, interval: 50 });
  const posts: Promise<void>[] = [];
  const sent = { hanging: 0, healthy: HEALTHY };
  const begun = performance.now();
  for (let now = 0; now < SECONDS; now = (performance.now() - begun) / 1_000) {
    for (; sent.hanging < now * PER_SECOND.hanging; sent.hanging++) {
      posts.push(post(hanging[sent.hanging % HANGING]!, sent.hanging));
    }
    for (; sent.healthy < HEALTHY + now * PER_SECOND.healthy; sent.healthy++) {
      posts.push(post(healthy[sent.healthy % HEALTHY]!, sent.healthy));
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await Promise.all(posts);
  // Less than the time-out of an attempt: none of the slots that hang would be free by then. A machine that is busy makes
  // a healthy receiver slow for a moment too, and what is put off then comes a little later.
  await vi.waitFor(() => expect(seen()).toBeGreaterThanOrEqual(0.95 * sent.healthy), { timeout: 25_000, interval: 50 });
  const attempted = hanging.flatMap((path) => receiver.received(path)).length;
  expect(attempted).toBeGreaterThanOrEqual(HANGING);
  expect(attempted).toBeLessThanOrEqual(1.5 * SLOTS);
  await vi.waitFor(() => expect(seen()).toBe(sent.healthy), { timeout: 80_000, interval: 50 });
});
