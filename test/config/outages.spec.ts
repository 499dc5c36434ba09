import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { QUEUES, RpcFailed } from '@form-webhooks/broker';
import { CuttableProxy } from '../support/network/cuttable-proxy.js';
import { ADMIN_KEY, ConfigStage, startableService, startedAt } from '../support/config/config-stage.js';

const register = (url: string, form: string) =>
  fetch(`${url}/v1/forms/${form}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ workspace_id: 'ws_one', name: 'A form' }),
  });

describe('while the broker is away', () => {
  let stage: ConfigStage;

  beforeAll(async () => {
    stage = await ConfigStage.open();
  });
  afterAll(() => stage.close());

  it('of one replica, a change is answered at once and announced by another', async () => {
    const broker = new CuttableProxy(new URL(brokerUrl()));
    const second = startableService(stage.databaseUrl, { RABBITMQ_URL: await broker.open() });
    const url = await startedAt(second);
    try {
      await broker.cut();
      const startedAtMs = performance.now();
      expect((await register(url, 'f_away')).status).toBe(201);
      expect(performance.now() - startedAtMs, 'a confirm is waited for for ten seconds').toBeLessThan(8_000);
      // The other replica finds the row and announces it in the first one's place.
      await vi.waitFor(() => expect(stage.notices).toContainEqual({ kind: 'form', form_id: 'f_away' }), 40_000);
      await broker.mend();
      stage.notices.length = 0;
      await vi.waitFor(async () => {
        expect((await register(url, `f_${Date.now()}`)).status).toBe(201);
        expect(stage.notices.length).toBeGreaterThan(0);
      }, 30_000);
    } finally {
      await second.stop();
      await broker.cut();
    }
  });
});

describe('while the database is away', () => {
  let stage: ConfigStage;
  let database: CuttableProxy;
  let service: ReturnType<typeof startableService>;
  let url: string;

  beforeAll(async () => {
    stage = await ConfigStage.open();
    database = new CuttableProxy(new URL(stage.databaseUrl));
    service = startableService(await database.open(), { LOG_LEVEL: 'silent' });
    url = await startedAt(service);
  });
  afterEach(() => database.cut().then(() => database.mend()));
  afterAll(async () => {
    await service.stop();
    await database.cut();
    await stage.close();
  });

  it('the API says so, tells when to try again, and serves as soon as it is back', async () => {
    expect((await register(url, 'f_before')).status).toBe(201);
    await database.cut();
    const refused = await register(url, 'f_during');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.text()).not.toMatch(/ECONNREFUSED|postgres|127\.0\.0\.1/);
    await database.mend();
    await vi.waitFor(async () => expect((await register(url, 'f_after')).status).toBe(201), 30_000);
  });

  it('a question over the broker is answered as failed, not left open', async () => {
    await stage.service.stop();
    await database.cut();
    const ask = () => stage.broker.rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id: 'f_before' }, 10_000);
    await expect(ask()).rejects.toBeInstanceOf(RpcFailed);
    await database.mend();
    await vi.waitFor(async () => expect(await ask()).toMatchObject({ registered: true }), 30_000);
  });
});
