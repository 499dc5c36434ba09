import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WORKSPACE_SCOPES } from '@form-webhooks/http-api';
import { LogPartitions, type LogDay } from '@form-webhooks/storage';
import { openDatabase } from '../support/config/config-database.js';
import { ConfigStage, startableService } from '../support/config/config-stage.js';

interface Entry {
  readonly action: string;
  readonly actor: string;
  readonly seq: number;
  readonly form_id: string | null;
  readonly changes: readonly object[];
}

describe('the audit log', () => {
  let stage: ConfigStage;
  let client: pg.Client;

  beforeAll(async () => {
    stage = await ConfigStage.open();
    client = new pg.Client({ connectionString: stage.databaseUrl });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await stage.close();
  });

  const read = async (workspace: string, query = ''): Promise<Entry[]> =>
    (await stage.call('GET', `/v1/audit-log?workspace_id=${workspace}${query}`)).body.items as Entry[];

  it('tells who changed what, with the old and the new value of what is no secret', async () => {
    const form = await stage.form('ws_story');
    const owner = await stage.key('ws_story', WORKSPACE_SCOPES);
    const at = `/v1/forms/${form}/endpoints`;
    const { id } = (await stage.call('POST', at, { key: owner, body: { url: 'https://a.example.com/' } })).body;
    await stage.call('PATCH', `${at}/${id}`, { key: owner, body: { url: 'https://b.example.com/', enabled: false } });
    await stage.call('POST', `${at}/${id}/secret/prepare`, { key: owner });
    await stage.call('POST', `${at}/${id}/secret/regenerate`, { key: owner });
    await stage.call('DELETE', `${at}/${id}`, { key: owner });
    await stage.call('DELETE', `/v1/forms/${form}`);
    const entries = await read('ws_story');
    expect(entries.map((entry) => entry.action)).toEqual([
      'form.removed',
      'endpoint.deleted',
      'secret.regenerated',
      'secret.prepared',
      'endpoint.updated',
      'endpoint.created',
      'api_key.created',
      'form.registered',
    ]);
    expect(entries.map((entry) => entry.seq)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(entries[4]).toMatchObject({
      actor: expect.stringMatching(/^key:key_[A-Za-z0-9]{16}$/),
      key_id: expect.stringMatching(/^key_/),
      ip: '127.0.0.1',
      form_id: form,
      target: { type: 'endpoint', id },
      changes: [
        { field: 'url', old: 'https://a.example.com/', new: 'https://b.example.com/' },
        { field: 'enabled', old: true, new: false },
        { field: 'disabled_reason', old: null, new: 'owner' },
      ],
    });
    expect(entries[7]).toMatchObject({ actor: 'key:key_environment' });
  });

  it('tells of a key that was revoked, and who revoked it', async () => {
    const body = { name: 'short-lived', workspace_id: 'ws_keys', scopes: ['deliveries:read'] };
    const { id, key } = (await stage.call('POST', '/v1/api-keys', { body })).body;
    expect((await stage.call('DELETE', `/v1/api-keys/${id}?workspace_id=ws_keys`)).status).toBe(204);
    const [revoked, created] = await read('ws_keys');
    expect(created).toMatchObject({ action: 'api_key.created', target: { id } });
    expect(revoked).toMatchObject({
      action: 'api_key.revoked',
      actor: 'key:key_environment',
      target: { id },
      changes: [{ field: 'name', old: 'short-lived', new: null }],
    });
    expect(JSON.stringify([revoked, created])).not.toContain(key);
  });

  it('tells service keys, and nobody else, what belongs to no workspace', async () => {
    const body = { name: 'ingest', kind: 'service', scopes: ['audit:read'] };
    const { id, key } = (await stage.call('POST', '/v1/api-keys', { body })).body;
    const [made] = await read('-', '&action=api_key.created');
    expect(made).toMatchObject({ workspace_id: '-', target: { type: 'api_key', id } });
    const path = '/v1/audit-log?workspace_id=-';
    expect((await stage.call('GET', path, { key })).status).toBe(200);
    const owner = await stage.key('ws_none', WORKSPACE_SCOPES);
    expect((await stage.call('GET', path, { key: owner })).body.errors[0]).toMatchObject({
      field: 'workspace_id',
      code: 'not_allowed',
    });
    const withoutScope = { name: 'sender', kind: 'service', scopes: ['events:write'] };
    const sender = (await stage.call('POST', '/v1/api-keys', { body: withoutScope })).body.key as string;
    expect((await stage.call('GET', path, { key: sender })).status).toBe(403);
    for (const other of ['/v1/api-keys', '/v1/forms']) {
      const { body: refused } = await stage.call('GET', `${other}?workspace_id=-`);
      expect(refused.errors[0], other).toMatchObject({ field: 'workspace_id', code: 'format' });
    }
  });

  it('has filters and pages', async () => {
    const [one, two] = [await stage.form('ws_filter'), await stage.form('ws_filter')];
    const from = new Date().toISOString();
    await stage.call('PUT', `/v1/forms/${one}`, { body: { workspace_id: 'ws_filter', name: 'B' } });
    expect((await read('ws_filter', `&form_id=${two}`)).map((entry) => entry.form_id)).toEqual([two]);
    expect(await read('ws_filter', '&action=form.updated')).toHaveLength(1);
    expect(await read('ws_filter', `&from=${from}`)).toHaveLength(1);
    expect(await read('ws_filter', `&to=${from}`)).toHaveLength(2);
    expect(await read('ws_filter', '&actor=user:nobody')).toEqual([]);
    const page = await stage.call('GET', '/v1/audit-log?workspace_id=ws_filter&limit=2');
    const rest = await read('ws_filter', `&cursor=${page.body.next_cursor}`);
    expect([...page.body.items, ...rest].map((entry: Entry) => entry.seq)).toEqual([3, 2, 1]);
    expect(await read('ws_other')).toEqual([]);
    expect((await stage.call('GET', '/v1/audit-log?workspace_id=ws_filter&from=yesterday')).status).toBe(422);
  });

  it.each([
    ['UPDATE', "UPDATE audit_entries SET actor = 'nobody'"],
    ['DELETE', 'DELETE FROM audit_entries'],
    ['TRUNCATE', 'TRUNCATE audit_entries'],
  ])('refuses %s in the database itself', async (verb, statement) => {
    await expect(client.query(statement)).rejects.toThrow(`audit_entries is append-only: ${verb} is refused`);
  });

  it('refuses it also in sessions that switch ordinary triggers off', async () => {
    const triggers = await client.query("SELECT tgenabled FROM pg_trigger WHERE tgrelid = 'audit_entries'::regclass");
    expect(triggers.rows).toEqual([{ tgenabled: 'A' }, { tgenabled: 'A' }]);
  });

  it('orders what is written at the same moment into one chain without a gap', async () => {
    await Promise.all(Array.from({ length: 20 }, () => stage.form('ws_busy')));
    const entries = await read('ws_busy', '&limit=50');
    expect(entries.map((entry) => entry.seq)).toEqual(Array.from({ length: 20 }, (_, i) => 20 - i));
  });

  it('has no entry of a change that failed', async () => {
    const form = await stage.form('ws_failed');
    await stage.call('PUT', `/v1/forms/${form}`, { body: { workspace_id: 'ws_thief', name: 'Mine' } });
    expect(await read('ws_thief')).toEqual([]);
    expect(await read('ws_failed')).toHaveLength(1);
  });

  it('tells which days of the delivery log a service dropped, whose retention had ended', async () => {
    const dataSource = await openDatabase(stage.databaseUrl);
    onTestFinished(() => dataSource.destroy());
    const partitions = new LogPartitions(dataSource);
    const days = ['2026-01-30', '2026-01-31'] as LogDay[];
    await partitions.make(days);
    const service = startableService(stage.databaseUrl, { LOG_RETENTION_DAYS: '7' });
    await service.start();
    await service.stop();
    for (const day of days) expect(await partitions.standing()).not.toContain(day);
    expect(await read('-', '&action=log.days_dropped')).toMatchObject([
      {
        actor: 'system',
        changes: [
          { field: 'days', old: days, new: [] },
          { field: 'retention_days', new: 7 },
        ],
      },
    ]);
  });
});
