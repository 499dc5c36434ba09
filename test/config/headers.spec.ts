import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QUEUES } from '@form-webhooks/broker';
import { KeyRing } from '@form-webhooks/domain';
import { resealSecrets, secretsByKey } from '@form-webhooks/storage';
import { openDatabase } from '../support/config/config-database.js';
import { ConfigStage, SECRET_KEYS } from '../support/config/config-stage.js';

describe('headers of an endpoint', () => {
  let stage: ConfigStage;
  let form: string;
  let endpoints: string;

  beforeAll(async () => {
    stage = await ConfigStage.open();
  });
  afterAll(() => stage.close());

  beforeEach(async () => {
    form = await stage.form('ws_one');
    endpoints = `/v1/forms/${form}/endpoints`;
  });

  const create = (headers?: object) =>
    stage.call('POST', endpoints, { body: { url: 'https://hooks.example.com/a', headers } });
  const patch = (id: string, body: object) => stage.call('PATCH', `${endpoints}/${id}`, { body });

  /** What a dispatcher would send, asked over the broker and opened with a key ring. */
  async function sent(ring = new KeyRing(SECRET_KEYS)): Promise<Record<string, string>> {
    const reply = await stage.broker.rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id: form }, 20_000);
    const { id, headers } = reply.endpoints[0]!;
    const owner = { workspaceId: reply.workspace_id!, endpointId: id };
    return Object.fromEntries(
      (headers ?? []).map(({ name, sealed }) => [name, ring.open(sealed, { ...owner, headerName: name })]),
    );
  }

  async function rows(table: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: stage.databaseUrl });
    await client.connect();
    try {
      return (await client.query(`SELECT to_jsonb(t) AS row FROM ${table} t`)).rows;
    } finally {
      await client.end();
    }
  }

  it('are shown by name alone, and reach a dispatcher sealed', async () => {
    const created = await create({ 'X-Api-Key': 'k', Authorization: 'Bearer canary' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ header_names: ['authorization', 'x-api-key'] });
    expect(created.body).not.toHaveProperty('headers');
    expect(await sent()).toEqual({ authorization: 'Bearer canary', 'x-api-key': 'k' });
    const listed = (await stage.call('GET', endpoints)).body.items;
    expect(listed).toMatchObject([{ header_names: ['authorization', 'x-api-key'] }]);
    expect((await stage.call('GET', `${endpoints}/${created.body.id}`)).body.header_names).toHaveLength(2);
  });

  it('are set, replaced and removed one by one, each time a new version', async () => {
    const { id } = (await create({ a: '1', b: '2' })).body;
    const changed = await patch(id, { headers: { B: '3', c: '4', a: null, nothing: null } });
    expect(changed.body).toMatchObject({ header_names: ['b', 'c'], version: 2 });
    expect(await sent()).toEqual({ b: '3', c: '4' });
    expect((await patch(id, { description: 'x' })).body).toMatchObject({ header_names: ['b', 'c'], version: 3 });
    expect((await patch(id, { headers: { nothing: null } })).body.version).toBe(3);
  });

  it.each([
    [{ Host: 'a' }, 'headers.Host', 'not_allowed'],
    [{ 'webhook-signature': 'a' }, 'headers.webhook-signature', 'not_allowed'],
    [{ 'X-Service-Signature': 'a' }, 'headers.X-Service-Signature', 'not_allowed'],
    [{ 'X-Service-Test': '1' }, 'headers.X-Service-Test', 'not_allowed'],
    [{ 'x-a': 'a\r\nHost: b' }, 'headers.x-a', 'format'],
    [{ 'x-a': null }, 'headers.x-a', 'type'],
    [{ 'a b': 'a' }, 'headers.a b', 'format'],
    [['a'], 'headers', 'type'],
    [Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'a'])), 'headers', 'too_many'],
  ])('are refused by name: %j', async (headers, field, code) => {
    const refused = await create(headers);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toMatchObject([{ field, code }]);
    expect((await stage.call('GET', endpoints)).body.items).toEqual([]);
  });

  it('are at most twenty, also those that come one by one', async () => {
    const { id } = (await create(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-${n}`, 'a'])))).body;
    expect((await patch(id, { headers: { 'x-20': 'a' } })).body.errors).toMatchObject([{ code: 'too_many' }]);
    expect((await patch(id, { headers: { 'x-20': 'a', 'x-0': null } })).status).toBe(200);
  });

  it('do not go to another origin than they were given for', async () => {
    const { id } = (await create({ authorization: 'Bearer canary', 'x-b': '1' })).body;
    const url = 'https://elsewhere.example.com/a';
    const refused = await patch(id, { url, headers: { 'x-b': null } });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toMatchObject([{ field: 'headers.authorization', code: 'required' }]);
    expect((await patch(id, { url: 'https://hooks.example.com/b' })).body.header_names).toHaveLength(2);
    const moved = await patch(id, { url, headers: { authorization: 'Bearer other', 'x-b': null } });
    expect(moved.body).toMatchObject({ url, header_names: ['authorization'] });
    expect(await sent()).toEqual({ authorization: 'Bearer other' });
  });

  it('are audited by name, with what happened to each', async () => {
    const { id } = (await create({ a: 'canary-1', b: 'canary-2' })).body;
    await patch(id, { headers: { a: null, b: 'canary-3' } });
    const audit = (await stage.call('GET', `/v1/audit-log?workspace_id=ws_one&form_id=${form}`)).body.items;
    expect(audit[0]).toMatchObject({
      action: 'endpoint.updated',
      changes: [
        { field: 'headers.a', old: '***', new: null },
        { field: 'headers.b', old: '***', new: '***' },
      ],
    });
    expect(audit[1].changes).toContainEqual({ field: 'headers.a', old: null, new: '***' });
  });

  it('go with their endpoint, and with their form', async () => {
    const { id } = (await create({ a: '1' })).body;
    await stage.call('DELETE', `${endpoints}/${id}`);
    await create({ a: '1' });
    const before = await rows('endpoint_headers');
    expect(JSON.stringify(before)).not.toContain(id);
    await stage.call('DELETE', `/v1/forms/${form}`);
    expect(await rows('endpoint_headers')).toHaveLength(before.length - 1);
  });

  it('have their values nowhere in the clear: not in the database, the API or its problems', async () => {
    const canary = `canary-${randomBytes(12).toString('hex')}`;
    const { id } = (await create({ authorization: canary })).body;
    await stage.call('PATCH', `${endpoints}/${id}`, {
      body: { headers: { authorization: `${canary}-2` } },
      headers: { 'idempotency-key': randomBytes(8).toString('hex') },
    });
    const tables = (await rows('information_schema.tables')) as { row: { table_name: string; table_schema: string } }[];
    let seen = '';
    for (const { row } of tables) if (row.table_schema === 'public') seen += JSON.stringify(await rows(row.table_name));
    const answers = await Promise.all([
      stage.call('GET', endpoints),
      stage.call('GET', '/v1/audit-log?workspace_id=ws_one'),
      patch(id, { headers: { authorization: `${canary}\n` } }),
      patch(id, { headers: { host: canary } }),
    ]);
    seen += JSON.stringify(answers.map(({ body }) => body as unknown));
    expect(seen).toContain('authorization');
    expect(seen).not.toContain(canary);
  });

  it('are sealed anew with the secrets when the key changes', async () => {
    await create({ authorization: 'Bearer canary' });
    const dataSource = await openDatabase(stage.databaseUrl);
    try {
      const key = `k2:${randomBytes(32).toString('base64')}`;
      const sealed = (await secretsByKey(dataSource)).get('k1')!;
      expect(sealed).toBe((await rows('endpoint_secrets')).length + (await rows('endpoint_headers')).length);
      expect(await resealSecrets(dataSource, new KeyRing(`${key},${SECRET_KEYS}`), () => undefined)).toBe(sealed);
      expect(await secretsByKey(dataSource)).toEqual(new Map([['k2', sealed]]));
      expect(await sent(new KeyRing(key))).toEqual({ authorization: 'Bearer canary' });
    } finally {
      await dataSource.destroy();
    }
  });
});
