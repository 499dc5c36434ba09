import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { RabbitMqServer, temporaryFolder } from '@form-webhooks/local';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DONE, QUEUES, RetryQueues, type Broker, type IncomingMessage } from '@form-webhooks/broker';
import { saveQueues, startBroker, startServer, testLogger } from '../support/broker.js';

/*
 * A broker that is killed while messages are on their way back from where they waited. Its start and what follows take
 * seconds; what takes minutes is lost and only the reconciler's, or waits for RabbitMQ's own 180 s.
 */

const TIMEOUT = { timeout: 180_000 };
const WAIT = { timeout: 60_000, interval: 50 };
const SEVERAL = 100;
/** Nearly as many as the default schedule has: the more there are, the more are up before the queue that they fall into. */
const SHARED_RUNGS_MS = Array.from({ length: 86 }, (_, n) => 4_000 + 50 * n);

let server: RabbitMqServer;
const folder = temporaryFolder('form-webhooks-deaths-');

beforeAll(async () => {
  server = new RabbitMqServer({ folder: join(folder.path, 'rabbitmq') });
  await server.start();
});

afterAll(async () => {
  await server.discard();
  folder.remove();
});

function retryQueuesOf(broker: Broker, { own }: { readonly own: boolean }): RetryQueues {
  const options = {
    marginMs: 600_000,
    maxLeases: 100,
    declareWaitMs: 10_000,
    dueIsThere: () => own,
    idOf: () => 'any',
  };
  return new RetryQueues(
    broker.publishing,
    broker.publisher,
    { sharedRungsMs: SHARED_RUNGS_MS, ...options },
    testLogger,
  );
}

const textsOf = (kind: string): string[] => Array.from({ length: SEVERAL }, (_, n) => `${kind} ${n}`);

/** Takes what falls due, wherever it comes out; what is `held` stays in hand until the broker dies. */
async function takeDue() {
  const [before, after] = [new Set<string>(), new Set<string>()];
  let dead = false;
  let letGo = (): void => undefined;
  const death = new Promise<void>((resolve) => (letGo = resolve));
  const take = async ({ body }: IncomingMessage) => {
    const text = body.toString();
    (dead ? after : before).add(text);
    if (!dead && text.startsWith('held')) await death;
    return DONE;
  };
  const prefetch = { [QUEUES.due]: 2 * SEVERAL };
  await startServer(server.url, { [QUEUES.due]: take, [QUEUES.deliveries]: take }, { prefetch });
  async function kill(): Promise<void> {
    await server.kill();
    dead = true;
    letGo();
    await server.start();
  }
  return { before, after, kill };
}

it('what fell due and is in hand comes back, however busy the queue is (trap 15)', TIMEOUT, async () => {
  const { before, after, kill } = await takeDue();
  const queues = retryQueuesOf(await startBroker(server.url), { own: true });
  const publish = (text: string, delayMs: number): Promise<unknown> =>
    queues.publish('we_busy', delayMs, () => ({ headers: {}, body: Buffer.from(text) }));
  await saveQueues(server);
  let busy = true;
  const traffic = (async () => {
    for (let n = 0; busy; n++) {
      await publish(`passing ${n}`, 100).catch(() => undefined);
      await wait(20);
    }
  })();
  const held = textsOf('held');
  await Promise.all(held.map((text) => publish(text, 1_000)));
  await vi.waitFor(() => expect([...before]).toEqual(expect.arrayContaining(held)), WAIT);
  // The traffic has gone on ever since: ten more that were published after.
  const passed = before.size + 10;
  await vi.waitFor(() => expect(before.size).toBeGreaterThan(passed), WAIT);
  await kill();
  busy = false;
  await traffic;
  await vi.waitFor(() => expect(held.filter((text) => !after.has(text))).toEqual([]), WAIT);
});

it('what a shared queue has confirmed outlives it, however young the queue is (trap 16)', TIMEOUT, async () => {
  const { before, after, kill } = await takeDue();
  await saveQueues(server);
  const queues = retryQueuesOf(await startBroker(server.url), { own: false });
  const texts = textsOf('young');
  await Promise.all(
    texts.map((text) => queues.publish('we_1', 8_000, () => ({ headers: {}, body: Buffer.from(text) }))),
  );
  await kill();
  // Before it died came what a slow machine has taken so long to publish.
  await vi.waitFor(() => expect(texts.filter((text) => !after.has(text) && !before.has(text))).toEqual([]), WAIT);
  expect(after.size, 'it was killed while messages waited').toBeGreaterThan(0);
});

it('what falls due in shared queues meanwhile comes soon, whichever queue is up first (trap 17)', TIMEOUT, async () => {
  const { before, after, kill } = await takeDue();
  const queues = retryQueuesOf(await startBroker(server.url), { own: false });
  const publishAll = (kind: string): Promise<unknown> =>
    Promise.all(
      SHARED_RUNGS_MS.map((ms) =>
        queues.publish('we_1', ms, () => ({ headers: {}, body: Buffer.from(`${kind} ${ms}`) })),
      ),
    );
  await publishAll('first');
  await saveQueues(server);
  await publishAll('waiting');
  await kill();
  const waiting = SHARED_RUNGS_MS.map((ms) => `waiting ${ms}`);
  await vi.waitFor(() => expect(waiting.filter((text) => !after.has(text) && !before.has(text))).toEqual([]), WAIT);
  expect(after.size, 'it was killed while messages waited').toBeGreaterThan(0);
});
