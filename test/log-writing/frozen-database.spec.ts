import { QUEUES, TO_LOG } from '@form-webhooks/broker';
import { encodeLogBatch } from '@form-webhooks/messages';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { emptyBroker, Probe, startBroker } from '../support/broker.js';
import { emptyDatabase, openDatabase } from '../support/config/config-database.js';
import { ADMIN_KEY, startableService, type StartableConfig } from '../support/config/config-stage.js';
import { CuttableProxy, type Direction } from '../support/cuttable-proxy.js';
import { anEvent, aStep } from '../support/config/delivery-log.js';

const EVENTS = 25;
const NOTICED = { timeout: 30_000, interval: 200 };
/** What a connection asks of its server: `SHOW tcp_user_timeout` and the keepalive's. */
const SERVER_KEEPS_FOR_MS = 25_000;
const HEALED = { timeout: 60_000, interval: 200 };
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const cases: readonly { readonly frozen: readonly Direction[] }[] = [
  { frozen: ['up', 'down'] },
  { frozen: ['up'] },
  { frozen: ['down'] },
];

describe('while the connections to the database are frozen, and new ones would work', () => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  let proxy: CuttableProxy;
  let service: StartableConfig;
  let client: pg.Client;
  let url: string;
  let healthUrl: string;

  beforeEach(async () => {
    await emptyBroker(brokerUrl());
    database = await emptyDatabase();
    proxy = new CuttableProxy(new URL(database.url));
    service = startableService(await proxy.open());
    ({ url, healthUrl } = await service.start());
    client = new pg.Client(database.url);
    await client.connect();
  });
  afterEach(async () => {
    await service.stop();
    await client.end();
    await proxy.cut();
    await database.drop();
  });

  const written = async (): Promise<number> => (await client.query('SELECT 1 FROM deliveries')).rowCount!;
  const ready = async (): Promise<{ status: number; checks: Record<string, boolean> }> => {
    const response = await fetch(`${healthUrl}/health/ready`);
    return { ...((await response.json()) as { checks: Record<string, boolean> }), status: response.status };
  };
  const endpoints = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const answer = await fetch(`${url}/v1/forms/f_unknown/endpoints`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };

  it.each(cases)('config says so, and every record is written within a minute ($frozen)', async ({ frozen }) => {
    const broker = await startBroker(brokerUrl());
    const probe = await Probe.open(brokerUrl());
    const send = async (): Promise<void> => {
      const event = anEvent();
      await broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch([event, aStep(event)]) });
    };
    await vi.waitFor(async () => expect((await ready()).status).toBe(200), HEALED);
    await send();
    await vi.waitFor(async () => expect(await written()).toBe(1), HEALED);

    expect(proxy.freeze(...frozen)).toBeGreaterThan(0);
    const asked = endpoints();
    for (let n = 1; n < EVENTS; n++) await send();
    const frozenAt = performance.now();
    const expiry = setTimeout(() => proxy.expireAtServer(), SERVER_KEEPS_FOR_MS);
    onTestFinished(() => clearTimeout(expiry));
    await Promise.all([
      vi.waitFor(async () => expect((await ready()).status).toBe(503), NOTICED),
      vi.waitFor(async () => expect(await written()).toBe(EVENTS), HEALED),
    ]);
    await vi.waitFor(async () => expect((await ready()).status).toBe(200), HEALED);
    expect(performance.now() - frozenAt).toBeLessThan(60_000);
    expect([404, 503]).toContain(await asked);
    expect(await endpoints()).toBe(404);
    expect(await probe.depth(`${QUEUES.deliveryLog}.parked`)).toBe(0);
  });
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
