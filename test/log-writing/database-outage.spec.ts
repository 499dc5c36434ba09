import { join } from 'node:path';
import { crashedQueueOf, parkedQueueOf, QUEUES } from '@form-webhooks/broker';
import { chooseFreePort, PostgresServer, temporaryFolder } from '@form-webhooks/local';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { Probe } from '../support/broker.js';
import { deliveryIdOf, postEvents } from '../support/form-traffic.js';
import { Receiver } from '../support/receiver.js';
import { Stack, type ServiceProcess } from '../support/stack.js';
import { StackLog } from '../support/stack-log.js';

const WAIT = { timeout: 60_000, interval: 100 };
const FORM = 'f_outage';
const BEFORE = 20;
const DURING = 100;
const LOG = QUEUES.deliveryLog;

/**
 * Long enough for several tries of the writer. Fifty, the delivery limit, would take minutes; a writer that handed back
 * what it can't write would do so every second.
 */
const OUTAGE_MS = 8_000;

const folder = temporaryFolder('form-webhooks-outage-');
let postgres: PostgresServer;
let stack: Stack;
let second: ServiceProcess;
let receiver: Receiver;

beforeAll(async () => {
  postgres = new PostgresServer({ folder: join(folder.path, 'postgres') });
  await postgres.start();
  receiver = await Receiver.start();
  // No fence of the reconciler comes into the queue that is counted here.
  const env = { LOG_PREFETCH: '5', RECONCILE_INTERVAL: '1h' };
  stack = await Stack.start({ databaseUrl: postgres.url, env });
  second = await stack.add('config', { ...stack.service('config').env, HTTP_PORT: String(await chooseFreePort()) });
});

afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
  await postgres?.stop();
  folder.remove();
});

const arrived = (): string[] => receiver.received('/outage').map(deliveryIdOf).toSorted();

/** How often each message that waits for the log was handed out and came back; reading counts once more. */
async function deliveryCounts(probe: Probe, messages: number): Promise<number[]> {
  const counts: number[] = [];
  const { consumerTag } = await probe.channel.consume(LOG, (message) => {
    if (message) counts.push(Number(message.properties.headers?.['x-delivery-count'] ?? 0));
  });
  await vi.waitFor(() => expect(counts.length).toBeGreaterThanOrEqual(messages), WAIT);
  await probe.channel.cancel(consumerTag);
  probe.channel.nackAll(true);
  return counts;
}

/** What waits in the log's queue, once something does and nothing is added any more. */
async function settledDepth(probe: Probe): Promise<number> {
  let last = -1;
  await vi.waitFor(async () => {
    const [before, now] = [last, await probe.depth(LOG)];
    last = now;
    // A leader that does not answer within a quarter of a second is told as an empty queue.
    expect(now).toBeGreaterThan(0);
    expect(now).toBe(before);
  }, WAIT);
  return last;
}

describe('an outage of the database', () => {
  it('stops no delivery, hands no record back, and is over by itself', { timeout: 180_000 }, async () => {
    await stack.registerForm(FORM);
    await stack.createEndpoint(FORM, receiver.url('/outage'));
    await postEvents(stack, FORM, BEFORE);
    const log = await StackLog.open(stack);
    await vi.waitFor(async () => expect(await log.idsWhere(FORM, `state = 'delivered'`)).toHaveLength(BEFORE), WAIT);
    const probe = await Probe.open(brokerUrl());

    await postgres.kill();
    const beganAt = Date.now();
    // One after the other, so that their records come in more messages than the writer holds.
    for (let n = BEFORE; n < BEFORE + DURING; n++) await postEvents(stack, FORM, 1, n);
    await vi.waitFor(() => expect(arrived()).toHaveLength(BEFORE + DURING), WAIT);
    await vi.waitFor(() => expect(Date.now() - beganAt).toBeGreaterThan(OUTAGE_MS), WAIT);
    // What a replica holds comes to light when it dies: its death counts once, and so does what was on its way to a
    // replica that stopped taking any.
    const waiting = await settledDepth(probe);
    await second.stop('SIGKILL');
    await vi.waitFor(async () => expect(await probe.depth(LOG)).toBeGreaterThan(waiting), WAIT);
    const counts = await deliveryCounts(probe, await settledDepth(probe));
    expect(Math.max(...counts)).toBeLessThanOrEqual(2);

    await postgres.start();
    const again = await StackLog.open(stack);
    await vi.waitFor(async () => expect(await again.idsWhere(FORM, `state = 'delivered'`)).toEqual(arrived()), WAIT);
    await vi.waitFor(
      async () => expect(await probe.channel.checkQueue(LOG)).toMatchObject({ messageCount: 0, consumerCount: 1 }),
      WAIT,
    );
    for (const queue of [crashedQueueOf(LOG), parkedQueueOf(LOG)]) expect(await probe.depth(queue)).toBe(0);
    expect(await again.repeatedTries()).toEqual([]);
  });
});
