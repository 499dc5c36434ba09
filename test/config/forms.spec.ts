import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUEUES } from '@form-webhooks/broker';
import { parseApiKey } from '@form-webhooks/domain';
import { ConfigStage } from '../support/config/config-stage.js';

describe('forms', () => {
  let stage: ConfigStage;

  beforeAll(async () => {
    stage = await ConfigStage.open();
  });
  afterAll(() => stage.close());

  const put = (id: string, workspace_id: string, name: string) =>
    stage.call('PUT', `/v1/forms/${id}`, { body: { workspace_id, name } });
  const asked = (form_id: string) => stage.broker.rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id }, 20_000);

  it('are registered, and registering again renames or changes nothing', async () => {
    const first = await put('f_rename', 'ws_one', 'Old');
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ id: 'f_rename', workspace_id: 'ws_one', name: 'Old' });
    expect((await put('f_rename', 'ws_one', 'Old')).status).toBe(200);
    expect((await put('f_rename', 'ws_one', 'New')).body).toMatchObject({ name: 'New' });
  });

  it('registered by two callers at once are registered once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => put('f_race', 'ws_one', 'A')));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 200, 201]);
  });

  it('of another workspace are a conflict, also after their removal', async () => {
    await put('f_mine', 'ws_one', 'A');
    expect((await put('f_mine', 'ws_two', 'A')).status).toBe(409);
    await stage.call('DELETE', '/v1/forms/f_mine');
    expect((await put('f_mine', 'ws_two', 'A')).status).toBe(409);
  });

  it('need an id and a workspace that read like ours', async () => {
    expect((await put('g_1', 'ws_one', 'A')).body.errors[0].field).toBe('form_id');
    expect((await put('f_1', 'workspace', '')).body.errors.map((error: { field: string }) => error.field)).toEqual([
      'workspace_id',
      'name',
    ]);
  });

  it('take their endpoints along when they are removed, and come back without them', async () => {
    await put('f_gone', 'ws_one', 'A');
    await stage.call('POST', '/v1/forms/f_gone/endpoints', { body: { url: 'https://a.example.com' } });
    expect(await asked('f_gone')).toMatchObject({ registered: true, deleted: false, endpoints: [{ enabled: true }] });
    expect((await stage.call('DELETE', '/v1/forms/f_gone')).status).toBe(204);
    expect(await asked('f_gone')).toMatchObject({ registered: false, deleted: true, endpoints: [] });
    expect((await stage.call('DELETE', '/v1/forms/f_gone')).status).toBe(404);
    expect((await stage.call('GET', '/v1/forms/f_gone/endpoints')).status).toBe(404);
    expect((await put('f_gone', 'ws_one', 'A')).status).toBe(201);
    expect(await asked('f_gone')).toMatchObject({ registered: true, deleted: false, endpoints: [] });
  });

  it('that were never registered are named as such to whoever makes an endpoint, with the call that is missing', async () => {
    const body = { url: 'https://a.example.com' };
    const { status, body: problem } = await stage.call('POST', '/v1/forms/f_never/endpoints', { body });
    expect([status, problem.detail]).toEqual([404, expect.stringContaining('PUT /v1/forms/{form_id}')]);
  });

  it('that were never registered are known as such', async () => {
    expect(await asked('f_never')).toMatchObject({ registered: false, deleted: false, workspace_id: null });
  });

  it('list also submissions that were erased long ago: an event of one may come at any time', async () => {
    await put('f_long_ago', 'ws_one', 'Long ago');
    const client = new pg.Client({ connectionString: stage.databaseUrl });
    await client.connect();
    await client.query(`INSERT INTO erased_submissions (form_id, submission_id, requested_at)
      VALUES ('f_long_ago', 's_1', now() - interval '2 years')`);
    await client.end();
    expect(await asked('f_long_ago')).toMatchObject({ erased_submissions: ['s_1'], erasures_listed_since: 0 });
  });

  it('list their erased submissions up to a limit, and tell of each of the others when asked', async () => {
    await put('f_erased', 'ws_one', 'Erased');
    const client = new pg.Client({ connectionString: stage.databaseUrl });
    await client.connect();
    const lastAt = new Date();
    const erase = (from: number, to: number) =>
      client.query(
        `INSERT INTO erased_submissions (form_id, submission_id, requested_at)
         SELECT 'f_erased', 's_' || n, $3::timestamptz - (100000 - n) * interval '10 ms' FROM generate_series($1::int, $2::int) n`,
        [from, to, lastAt],
      );
    const isErased = async (submission_id: string) =>
      (
        await stage.broker.rpc.call(
          QUEUES.configRpc,
          'erased_submission',
          { form_id: 'f_erased', submission_id },
          20_000,
        )
      ).erased;
    await erase(99_901, 100_000);
    const few = await asked('f_erased');
    expect(few.erased_submissions).toHaveLength(100);
    expect(few.erasures_listed_since).toBe(0);
    await erase(1, 99_900);
    const many = await asked('f_erased');
    expect(many.erased_submissions).toEqual(Array.from({ length: 1_000 }, (_, i) => `s_${100_000 - i}`));
    expect(many.erasures_listed_since).toBeNull();
    expect(await Promise.all(['s_1', 's_100000', 's_nobody'].map(isErased))).toEqual([true, true, false]);
    await client.end();
  });
});

describe('keys, as the ingest service asks for them', () => {
  let stage: ConfigStage;

  beforeAll(async () => {
    stage = await ConfigStage.open();
  });
  afterAll(() => stage.close());

  it('are known by id and hash as long as they are valid', async () => {
    const ask = (key_id: string, key_hash: string) =>
      stage.broker.rpc.call(QUEUES.configRpc, 'api_key', { key_id, key_hash }, 20_000);
    const made = await stage.call('POST', '/v1/api-keys', {
      body: { name: 'ingest', kind: 'service', scopes: ['events:write'] },
    });
    const { id, hash } = parseApiKey(made.body.key as string)!;
    const good = { valid: true, scopes: ['events:write'], expires_at: null, now: expect.any(Number) as number };
    expect(await ask(id, hash)).toEqual(good);
    expect(
      await ask(
        id,
        hash.replace(/^./, (c) => (c === '0' ? '1' : '0')),
      ),
    ).toMatchObject({ valid: false });
    await stage.call('DELETE', `/v1/api-keys/${id}?kind=service`);
    expect(await ask(id, hash)).toMatchObject({ valid: false });
    expect(stage.notices).toContainEqual({ kind: 'api_key', key_id: id });
  });
});
