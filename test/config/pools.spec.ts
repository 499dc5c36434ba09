import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { QUEUES, TO_LOG } from '@form-webhooks/broker';
import type { FormId } from '@form-webhooks/domain';
import { encodeLogBatch } from '@form-webhooks/messages';
import type { DataSource } from '@form-webhooks/storage';
import { openDatabase } from '../support/config/config-database.js';
import { ConfigStage } from '../support/config/config-stage.js';
import { anEvent, aStep } from '../support/config/delivery-log.js';

const WAIT = { timeout: 20_000, interval: 50 };
const POOL = 4;
/** Less than a statement that waits for a lock is given. */
const ASKED_WITHIN_MS = 20_000;

describe('connections to the database', () => {
  let stage: ConfigStage;
  let database: DataSource;

  beforeAll(async () => {
    stage = await ConfigStage.open({ DATABASE_POOL_SIZE: String(POOL) });
    database = await openDatabase(stage.databaseUrl);
  });
  afterAll(async () => {
    await database.destroy();
    await stage.close();
  });

  /** Runs the statement in a transaction that stays open. @returns what ends it */
  async function hold(statement: string): Promise<() => Promise<void>> {
    const runner = database.createQueryRunner();
    await runner.startTransaction();
    await runner.query(statement);
    return async () => {
      await runner.rollbackTransaction();
      await runner.release();
    };
  }

  /** Connections of the API's calls: the log is measured meanwhile, which reads much of it. */
  const waitingForLocks = async (): Promise<number> => {
    const sql = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE '%config api' AND wait_event_type = 'Lock'`;
    return ((await database.query(sql)) as [{ n: number }])[0].n;
  };

  it('that calls of tenants use up keep waiting neither the log nor what dispatchers ask', async () => {
    const form = (await stage.form('ws_one')) as FormId;
    const letGo = await hold(`SELECT 1 FROM forms WHERE id = '${form}' FOR UPDATE`);
    const body = { workspace_id: 'ws_one', name: 'Renamed' };
    const stuck = Array.from({ length: POOL * 2 }, () => stage.call('PUT', `/v1/forms/${form}`, { body }));
    await vi.waitFor(async () => expect(await waitingForLocks()).toBe(POOL), WAIT);

    const asked = stage.broker.rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id: form }, ASKED_WITHIN_MS);
    expect((await asked).registered).toBe(true);
    const event = anEvent({ formId: form });
    await stage.broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch([event, aStep(event)]) });
    await vi.waitFor(async () => {
      const sql = 'SELECT count(*)::int AS n FROM deliveries WHERE form_id = $1';
      expect(await database.query(sql, [form])).toEqual([{ n: 1 }]);
    }, WAIT);
    expect(await waitingForLocks()).toBe(POOL);

    await letGo();
    const statuses = (await Promise.all(stuck)).map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
  });

  it('are not held by replays that wait for another choice of their workspace', async () => {
    const forms = await Promise.all(Array.from({ length: POOL + 2 }, () => stage.form('ws_two')));
    const letGo = await hold('LOCK TABLE erased_submissions IN ACCESS EXCLUSIVE MODE');
    const body = { filter: { state: 'failed' } };
    const choosing = forms.map((id) => stage.call('POST', `/v1/forms/${id}/replays`, { body }));
    await vi.waitFor(async () => expect(await waitingForLocks()).toBe(1), WAIT);
    expect((await stage.call('GET', `/v1/forms/${forms[0]}/endpoints`)).status).toBe(200);
    expect(await waitingForLocks()).toBe(1);
    await letGo();
    const statuses = new Set((await Promise.all(choosing)).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([202, 429]);
  });

  it('are not held by repeated calls under a key that is being answered', async () => {
    const form = await stage.form('ws_three');
    const letGo = await hold(`SELECT 1 FROM forms WHERE id = '${form}' FOR UPDATE`);
    const headers = { 'idempotency-key': 'once' };
    const body = { url: 'https://hooks.example.com/' };
    const create = () => stage.call('POST', `/v1/forms/${form}/endpoints`, { body, headers });
    const first = create();
    await vi.waitFor(async () => expect(await waitingForLocks()).toBe(1), WAIT);
    const repeats = await Promise.all(Array.from({ length: POOL * 2 }, create));
    expect(new Set(repeats.map(({ status, body: { code } }) => `${status} ${code}`))).toEqual(
      new Set(['409 in_progress']),
    );
    await letGo();
    expect((await first).status).toBe(201);
  });
});
