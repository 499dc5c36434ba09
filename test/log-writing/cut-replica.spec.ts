import { crashedQueueOf, parkedQueueOf, QUEUES, TO_LOG } from '@form-webhooks/broker';
import { encodeLogBatch } from '@form-webhooks/messages';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { emptyBroker, Probe, startBroker } from '../support/broker.js';
import { migratedDatabase, type OwnDatabase } from '../support/config/config-database.js';
import { startableService, type StartableConfig } from '../support/config/config-stage.js';
import { CuttableProxy } from '../support/network/cuttable-proxy.js';
import { anEvent, aStep } from '../support/config/delivery-log.js';

const WAIT = { timeout: 30_000, interval: 100 };
/** What can't be written is held for about a second, and one search for lost deliveries is all there is. */
const QUICK = { RECONCILE_GRACE: '10s', ATTEMPT_TIMEOUT: '100ms', RECONCILE_INTERVAL: '1h' };

describe('while one replica alone has lost its way to the database', () => {
  let database: OwnDatabase;
  let proxy: CuttableProxy;
  let cut: StartableConfig;
  let other: StartableConfig;
  let client: pg.Client;

  beforeAll(async () => {
    await emptyBroker(brokerUrl());
    database = await migratedDatabase();
    proxy = new CuttableProxy(new URL(database.url));
    cut = startableService(await proxy.open(), { ...QUICK, LOG_PREFETCH: '5' });
    await cut.start();
    other = startableService(database.url, { ...QUICK, LOG_PREFETCH: '5' });
    await other.start();
    client = new pg.Client(database.url);
    await client.connect();
  });
  afterAll(async () => {
    await cut.stop();
    await other.stop();
    await client.end();
    await proxy.cut();
    await database.drop();
  });

  const delivered = async (): Promise<number> =>
    (await client.query(`SELECT 1 FROM deliveries WHERE state = 'delivered'`)).rowCount!;

  it('the other writes what it holds, and it goes on once its way is back', async () => {
    const broker = await startBroker(brokerUrl());
    const probe = await Probe.open(brokerUrl());
    const consumers = async () => (await probe.channel.checkQueue(QUEUES.deliveryLog)).consumerCount;
    const send = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const event = anEvent();
        await broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch([event, aStep(event)]) });
      }
    };
    await vi.waitFor(async () => expect(await consumers()).toBe(2), WAIT);
    await proxy.cut();
    await send(40);
    await vi.waitFor(async () => expect(await delivered()).toBe(40), WAIT);
    await vi.waitFor(async () => expect(await consumers()).toBe(1), WAIT);
    for (const queue of [crashedQueueOf(QUEUES.deliveryLog), parkedQueueOf(QUEUES.deliveryLog)]) {
      expect(await probe.depth(queue)).toBe(0);
    }

    await proxy.mend();
    await vi.waitFor(async () => expect(await consumers()).toBe(2), WAIT);
    await other.stop();
    await send(10);
    await vi.waitFor(async () => expect(await delivered()).toBe(50), WAIT);
  });
});
