import { join } from 'node:path';
import { RabbitMqServer, temporaryFolder } from '@form-webhooks/local';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DONE, QUEUES, RetryQueues, type IncomingMessage } from '@form-webhooks/broker';
import { Probe, saveQueues, startBroker, startServer, testLogger } from '../support/broker.js';

/*
 * A cluster of three nodes loses one. What waits for its next attempt must not depend on which one that is.
 */

const WAIT = { timeout: 240_000, interval: 100 };
const RETRIES = 300;
const DELAY_MS = 5_000;

const folder = temporaryFolder('form-webhooks-cluster-');
const first = new RabbitMqServer({ folder: join(folder.path, 'node-1') });
const nodes = [
  first,
  new RabbitMqServer({ folder: join(folder.path, 'node-2'), joins: first }),
  new RabbitMqServer({ folder: join(folder.path, 'node-3'), joins: first }),
];

beforeAll(async () => {
  for (const node of nodes) await node.start();
}, 240_000);

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.discard()));
  folder.remove();
}, 120_000);

const urls = (of: readonly RabbitMqServer[]): string => of.map(({ url }) => url).join(',');

it('every retry that falls due while a node is away comes back, whichever node', { timeout: 400_000 }, async () => {
  const [home, ...others] = nodes as [RabbitMqServer, ...RabbitMqServer[]];
  const seen = new Set<string>();
  const take = async ({ body }: IncomingMessage) => {
    seen.add(body.toString());
    return DONE;
  };
  // Whoever declares a classic queue first decides where it lives.
  const probe = await Probe.open(home.url);
  await probe.channel.assertQueue(QUEUES.due, { durable: true, arguments: { 'x-queue-type': 'classic' } });
  await startServer(urls(others), { [QUEUES.due]: take, [QUEUES.deliveries]: take }, { rpc: false });
  const broker = await startBroker(urls(others));
  const queues = new RetryQueues(
    broker.publishing,
    broker.publisher,
    {
      sharedRungsMs: [DELAY_MS],
      marginMs: 600_000,
      maxLeases: 100,
      declareWaitMs: 10_000,
      dueIsThere: () => true,
      idOf: () => 'any',
    },
    testLogger,
  );
  const sent = Array.from({ length: RETRIES }, (_, n) => `retry ${n}`);
  await Promise.all(
    sent.map((text, n) => queues.publish(`we_${n % 10}`, DELAY_MS, () => ({ headers: {}, body: Buffer.from(text) }))),
  );
  await saveQueues(home);
  await home.kill();
  await vi.waitFor(() => expect(seen.size).toBe(RETRIES), WAIT);
  expect(seen).toEqual(new Set(sent));
});
