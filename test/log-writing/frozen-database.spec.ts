import { QUEUES, TO_LOG } from '@form-webhooks/broker';
import { encodeLogBatch } from '@form-webhooks/messages';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { brokerUrl, playCases } from '../support/broker-url.js';
import { emptyBroker, Probe, startBroker } from '../support/broker.js';
import { migratedDatabase, openDatabase } from '../support/config/config-database.js';
import { ADMIN_KEY, startableService } from '../support/config/config-stage.js';
import { CuttableProxy, type Direction } from '../support/network/cuttable-proxy.js';
import { anEvent, aStep } from '../support/config/delivery-log.js';

const EVENTS = 25;
const NOTICED = { timeout: 30_000, interval: 200 };
/** What a connection asks of its server: `SHOW tcp_user_timeout` and the keepalive's. */
const SERVER_KEEPS_FOR_MS = 25_000;
const HEALED = { timeout: 60_000, interval: 200 };
vi.setConfig({ testTimeout: 240_000 });

const CASES: readonly (readonly Direction[])[] = [['up', 'down'], ['up'], ['down']];

/** Config behind a proxy to its database, on a virtual host of its own. */
async function openStage(nth: number) {
  const brokerOfCase = brokerUrl(nth);
  await emptyBroker(brokerOfCase);
  const database = await migratedDatabase();
  const proxy = new CuttableProxy(new URL(database.url));
  const service = startableService(await proxy.open(), { RABBITMQ_URL: brokerOfCase });
  const { url, healthUrl } = await service.start();
  const client = new pg.Client(database.url);
  await client.connect();
  return {
    proxy,
    broker: await startBroker(brokerOfCase),
    probe: await Probe.open(brokerOfCase),
    written: async (): Promise<number> => (await client.query('SELECT 1 FROM deliveries')).rowCount!,
    readiness: async (): Promise<number> => {
      const response = await fetch(`${healthUrl}/health/ready`);
      await response.arrayBuffer();
      return response.status;
    },
    endpoints: async (): Promise<number> => {
      const headers = { authorization: `Bearer ${ADMIN_KEY}` };
      const answer = await fetch(`${url}/v1/forms/f_unknown/endpoints`, { headers });
      await answer.arrayBuffer();
      return answer.status;
    },
    close: async () => {
      await service.stop();
      await client.end();
      await proxy.cut();
      await database.drop();
    },
  };
}

async function freeze(nth: number, frozen: readonly Direction[]): Promise<void> {
  const { proxy, broker, probe, written, readiness, endpoints, close } = await openStage(nth);
  onTestFinished(close);
  const send = async (): Promise<void> => {
    const event = anEvent();
    await broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch([event, aStep(event)]) });
  };
  await vi.waitFor(async () => expect(await readiness()).toBe(200), HEALED);
  await send();
  await vi.waitFor(async () => expect(await written()).toBe(1), HEALED);

  expect(proxy.freeze(...frozen)).toBeGreaterThan(0);
  const asked = endpoints();
  for (let n = 1; n < EVENTS; n++) await send();
  const expiry = setTimeout(() => proxy.expireAtServer(), SERVER_KEEPS_FOR_MS);
  onTestFinished(() => clearTimeout(expiry));
  await Promise.all([
    vi.waitFor(async () => expect(await readiness()).toBe(503), NOTICED),
    vi.waitFor(async () => expect(await written()).toBe(EVENTS), HEALED),
  ]);
  await vi.waitFor(async () => expect(await readiness()).toBe(200), HEALED);
  expect([404, 503]).toContain(await asked);
  expect(await endpoints()).toBe(404);
  expect(await probe.depth(`${QUEUES.deliveryLog}.parked`)).toBe(0);
}

describe('while the connections to the database are frozen, and new ones would work', () => {
  it('config says so, and every record is written within a minute, whichever direction is frozen', () =>
    playCases(CASES, (frozen, nth) => freeze(nth, frozen)));
});

it('a session asks the server to end it when nobody acknowledges it any more', async () => {
  const database = await openDatabase(inject('databaseUrl'));
  onTestFinished(() => database.destroy());
  const sql = `SELECT name, setting::int AS value FROM pg_settings WHERE name LIKE 'tcp\\_%' ORDER BY name`;
  const settings = (await database.query(sql)) as { name: string; value: number }[];
  expect(Object.fromEntries(settings.map(({ name, value }) => [name, value]))).toEqual({
    tcp_keepalives_count: 3,
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_user_timeout: 20_000,
  });
});
