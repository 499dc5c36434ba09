import { join } from 'node:path';
import { RabbitMqServer, temporaryFolder } from '@form-webhooks/local';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DONE, QUEUES, RetryQueues, toQueue, type Broker, type IncomingMessage } from '@form-webhooks/broker';
import { saveQueues, startBroker, startServer, testLogger } from '../support/broker.js';

const WAIT = { timeout: 60_000, interval: 50 };
const MESSAGES = 300;

let server: RabbitMqServer;
const folder = temporaryFolder('form-webhooks-restarts-');

beforeAll(async () => {
  server = new RabbitMqServer({ folder: join(folder.path, 'rabbitmq') });
  await server.start();
});

afterAll(async () => {
  await server.discard();
  folder.remove();
});

const retryQueuesOf = (broker: Broker): RetryQueues =>
  new RetryQueues(
    broker.publishing,
    broker.publisher,
    {
      sharedRungsMs: [5_000],
      marginMs: 600_000,
      maxLeases: 100,
      declareWaitMs: 10_000,
      dueIsThere: () => true,
      idOf: () => 'any',
    },
    testLogger,
  );

/** Consumes what falls due, wherever it comes out, and remembers each message once. */
async function collectDue(): Promise<Set<string>> {
  const seen = new Set<string>();
  const take = async ({ body }: IncomingMessage) => {
    seen.add(body.toString());
    return DONE;
  };
  await startServer(server.url, { [QUEUES.due]: take, [QUEUES.deliveries]: take });
  return seen;
}

describe.each([
  ['an orderly restart', () => server.restart()],
  [
    'a kill -9',
    () =>
      saveQueues(server)
        .then(() => server.kill())
        .then(() => server.start()),
  ],
])('over %s of the broker', (_name, interrupt) => {
  it('every retry that falls due meanwhile comes back (trap 2)', { timeout: 180_000 }, async () => {
    const broker = await startBroker(server.url);
    const queues = retryQueuesOf(broker);
    const sent = Array.from({ length: MESSAGES }, (_, n) => `retry ${n}`);
    await Promise.all(
      sent.map((text, n) => queues.publish(`we_${n % 10}`, 3_000, () => ({ headers: {}, body: Buffer.from(text) }))),
    );
    // Due while the broker is away: it takes longer than the delay to come back.
    await interrupt();
    const seen = await collectDue();
    await vi.waitFor(() => expect(seen.size).toBe(MESSAGES), WAIT);
    expect(seen).toEqual(new Set(sent));
  });

  it('publishers and consumers go on by themselves, and health says so (trap 10)', { timeout: 180_000 }, async () => {
    const seen = new Set<string>();
    const { broker, server: consumer } = await startServer(server.url, {
      [QUEUES.events]: async ({ body }: IncomingMessage) => {
        seen.add(body.toString());
        return DONE;
      },
    });
    const publish = (text: string): Promise<void> =>
      broker.publisher.publish(toQueue(QUEUES.events), { headers: {}, body: Buffer.from(text) });
    await publish('before');
    await vi.waitFor(() => expect(seen).toContain('before'), WAIT);

    const restarted = interrupt();
    await vi.waitFor(() => expect(consumer.healthy).toBe(false), WAIT);
    await restarted;

    await vi.waitFor(() => expect(consumer.healthy).toBe(true), WAIT);
    await vi.waitFor(() => publish('after'), WAIT);
    await vi.waitFor(() => expect(seen).toContain('after'), WAIT);
  });
});
