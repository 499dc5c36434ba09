import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyRing } from '@form-webhooks/domain';
import { QUEUES } from '@form-webhooks/broker';
import type { EndpointSnapshot } from '@form-webhooks/messages';
import { ConfigStage, SECRET_KEYS } from '../support/config/config-stage.js';

describe('signing secrets', () => {
  const ring = new KeyRing(SECRET_KEYS);
  let stage: ConfigStage;
  let form: string;
  let endpoint: string;
  let created: string;

  beforeAll(async () => {
    stage = await ConfigStage.open();
  });
  afterAll(() => stage.close());

  beforeEach(async () => {
    form = await stage.form('ws_one');
    const answer = await stage.call('POST', `/v1/forms/${form}/endpoints`, { body: { url: 'https://a.example.com' } });
    endpoint = answer.body.id as string;
    created = answer.body.secret as string;
  });

  const prepare = () => stage.call('POST', `/v1/forms/${form}/endpoints/${endpoint}/secret/prepare`);
  const regenerate = (body?: object) =>
    stage.call('POST', `/v1/forms/${form}/endpoints/${endpoint}/secret/regenerate`, { body });

  /** What a dispatcher would sign with, asked over the broker and opened with the key ring. */
  async function signing(): Promise<string[]> {
    const reply = await stage.broker.rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id: form }, 20_000);
    const snapshot = reply.endpoints[0] as EndpointSnapshot;
    return snapshot.secrets.map(({ id, sealed }) =>
      ring.open(sealed, { workspaceId: reply.workspace_id!, endpointId: snapshot.id, secretId: id }),
    );
  }

  it('reach a dispatcher sealed, and open there', async () => {
    expect(await signing()).toEqual([created]);
  });

  it('are replaced at once, and the new one is shown this once', async () => {
    const answer = await regenerate();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({ version: 2, secret: expect.stringMatching(/^whsec_/) });
    expect(answer.body.secret).not.toBe(created);
    expect(await signing()).toEqual([answer.body.secret]);
  });

  it('overlap for as long as the owner asks, the new one first', async () => {
    const { secret } = (await regenerate({ overlap_seconds: 3_600 })).body;
    expect(await signing()).toEqual([secret, created]);
    const third = (await regenerate({ overlap_seconds: 60 })).body.secret;
    expect(await signing(), 'the first promise ends last').toEqual([third, created, secret]);
    const fourth = (await regenerate()).body.secret;
    expect(await signing(), 'without an overlap only the current one goes').toEqual([fourth, created, secret]);
  });

  it('are at most five beside the current one', async () => {
    for (let n = 0; n < 5; n++) expect((await regenerate({ overlap_seconds: 600 })).status).toBe(200);
    const refused = await regenerate({ overlap_seconds: 600 });
    expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached']);
    expect(await signing()).toHaveLength(6);
    expect((await regenerate()).status).toBe(200);
    expect(await signing()).toHaveLength(6);
  });

  it('have an overlap of at most seven days', async () => {
    for (const overlap_seconds of [604_801, -1, 1.5, '60']) {
      expect((await regenerate({ overlap_seconds })).status).toBe(422);
    }
    expect((await regenerate({ overlap_seconds: 604_800 })).status).toBe(200);
  });

  it('stop signing when their overlap ends', async () => {
    const { secret } = (await regenerate({ overlap_seconds: 1 })).body;
    await vi.waitFor(async () => expect(await signing()).toEqual([secret]), { timeout: 30_000 });
  });

  it('can be prepared without effect, and are not shown again when they take effect', async () => {
    const prepared = await prepare();
    expect(prepared.headers.get('cache-control')).toBe('no-store');
    expect(prepared.body).toMatchObject({ version: 1, secret_hint: `whsec_…${created.slice(-4)}` });
    expect(await signing()).toEqual([created]);
    const answer = await regenerate();
    expect(answer.body.secret).toBeNull();
    expect(answer.body.secret_hint).toBe(`whsec_…${prepared.body.secret.slice(-4)}`);
    expect(await signing()).toEqual([prepared.body.secret]);
  });

  it('of the last preparation count', async () => {
    await prepare();
    const second = (await prepare()).body.secret;
    await regenerate();
    expect(await signing()).toEqual([second]);
  });

  const state = async () => (await stage.call('GET', `/v1/forms/${form}/endpoints/${endpoint}/secret`)).body;
  const hintOf = (secret: string) => `whsec_…${secret.slice(-4)}`;

  it('say which one signs, which is prepared and by whom, and when earlier ones end', async () => {
    expect(await state()).toMatchObject({ current: { hint: hintOf(created) }, prepared: null, previous: [] });
    const prepared = (await prepare()).body.secret as string;
    const at = Date.now();
    await regenerate({ overlap_seconds: 3_600 });
    const next = (await prepare()).body.secret as string;
    const told = await state();
    expect(told).toMatchObject({
      current: { hint: hintOf(prepared), created_by: 'key:key_environment', expires_at: null },
      prepared: { hint: hintOf(next), created_by: 'key:key_environment', expires_at: null },
      previous: [{ hint: hintOf(created) }],
    });
    expect(Date.parse(told.current.since as string), 'since it signs').toBeGreaterThan(
      Date.parse(told.current.created_at as string),
    );
    expect(Date.parse(told.previous[0].expires_at as string) - at).toBeGreaterThan(3_590_000);
    expect(JSON.stringify(told)).not.toContain(next.slice(6, -5));
  });

  it('say what the next step would end, and a step what it has ended', async () => {
    const first = await prepare();
    expect(first.body.ended).toEqual([]);
    const told = await state();
    expect(told.prepare_ends.map(({ hint }: { hint: string }) => hint)).toEqual([hintOf(first.body.secret)]);
    expect(told.regenerate_ends.map(({ hint }: { hint: string }) => hint)).toEqual([hintOf(created)]);
    expect((await prepare()).body.ended).toEqual(told.prepare_ends);
    expect((await regenerate({ overlap_seconds: 60 })).body.ended, 'an overlap ends nothing').toEqual([]);
    const { regenerate_ends, previous } = await state();
    expect((await regenerate()).body.ended, 'during an overlap').toEqual(regenerate_ends);
    expect((await state()).previous, 'promises stay').toEqual(previous);
  });

  it('have an end that their owner can move, or make now', async () => {
    const { secret } = (await regenerate({ overlap_seconds: 60 })).body;
    const [{ id, expires_at: promised }] = (await state()).previous;
    const end = (overlap_seconds: unknown, which: string = id) =>
      stage.call('PUT', `/v1/forms/${form}/endpoints/${endpoint}/secret/previous/${which}`, {
        body: { overlap_seconds },
      });
    const extended = await end(3_600);
    expect(extended.status).toBe(200);
    expect(Date.parse(extended.body.previous[0].expires_at)).toBeGreaterThan(Date.parse(promised) + 3_000_000);
    expect(await signing()).toEqual([secret, created]);
    for (const wrong of [-1, 604_801, '60']) expect((await end(wrong)).status).toBe(422);
    const longest = (await end(604_800)).body.previous[0];
    expect(Date.parse(longest.expires_at) - Date.parse(longest.since), 'seven days at most').toBe(604_800_000);
    expect((await end(0)).body.previous).toEqual([]);
    expect(await signing(), 'it signs nothing any more').toEqual([secret]);
    expect((await end(60)).status, 'what has ended stays so').toBe(404);
    expect((await end(60, (await state()).current.id)).status, 'nor has the present one an end').toBe(404);
    const audited = await stage.call(
      'GET',
      `/v1/audit-log?workspace_id=ws_one&action=secret.overlap_changed&form_id=${form}`,
    );
    expect(audited.body.items).toHaveLength(3);
    expect(audited.body.items[2].changes).toContainEqual({
      field: 'expires_at',
      old: promised,
      new: extended.body.previous[0].expires_at,
    });
  });

  it('go with their endpoint', async () => {
    await prepare();
    await stage.call('DELETE', `/v1/forms/${form}/endpoints/${endpoint}`);
    const client = new pg.Client({ connectionString: stage.databaseUrl });
    await client.connect();
    const left = await client.query('SELECT 1 FROM endpoint_secrets WHERE endpoint_id = $1', [endpoint]);
    expect(left.rowCount).toBe(0);
    await client.end();
  });

  it('stand nowhere in the clear: not in the database, lists, the audit log or errors', async () => {
    const prepared = (await prepare()).body.secret as string;
    const regenerated = (await regenerate({ overlap_seconds: 60 })).body.secret as string | null;
    const fresh = (await regenerate({ overlap_seconds: 60 })).body.secret as string;
    expect(regenerated).toBeNull();
    const client = new pg.Client({ connectionString: stage.databaseUrl });
    await client.connect();
    const tables = await client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    let seen = '';
    for (const { name } of tables.rows) {
      seen += JSON.stringify((await client.query(`SELECT to_jsonb(t) FROM ${name} t`)).rows);
    }
    await client.end();
    const answers = await Promise.all([
      stage.call('GET', `/v1/forms/${form}/endpoints`),
      stage.call('GET', '/v1/audit-log?workspace_id=ws_one'),
      stage.call('PATCH', `/v1/forms/${form}/endpoints/${endpoint}`, { body: { secret: fresh } }),
    ]);
    seen += JSON.stringify(answers.map((answer) => answer.body as unknown));
    for (const secret of [created, prepared, fresh]) expect(seen).not.toContain(secret.slice(6, -5));
  });
});
