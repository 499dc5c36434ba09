import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WORKSPACE_SCOPES } from '@form-webhooks/http-api';
import { ConfigStage, type Answer, type CallOptions } from '../support/config/config-stage.js';

describe('a write with an Idempotency-Key', () => {
  let stage: ConfigStage;
  let database: pg.Client;
  let form: string;
  let endpoints: string;
  let tries = 0;
  let key: string;

  beforeAll(async () => {
    stage = await ConfigStage.open({ TEST_SENDS_PER_MINUTE: '1000' });
    database = new pg.Client(stage.databaseUrl);
    await database.connect();
  });

  afterAll(async () => {
    await database.end();
    await stage.close();
  });

  beforeEach(async () => {
    form = await stage.form('ws_one');
    endpoints = `/v1/forms/${form}/endpoints`;
    key = `try:${++tries}`;
    stage.answerUrlCheck = () => Promise.resolve({ ok: true, status: 204 });
  });

  const call = (method: string, path: string, options: CallOptions = {}) =>
    stage.call(method, path, { ...options, headers: { 'idempotency-key': key, ...options.headers } });

  const create = (body: object = {}, options: CallOptions = {}) =>
    call('POST', endpoints, {
      ...options,
      body: { url: 'https://hooks.example.com/a', allow_duplicate_url: true, ...body },
    });

  const listed = async (path: string): Promise<unknown[]> => (await stage.call('GET', path)).body.items;

  const audited = async (action: string): Promise<unknown[]> =>
    listed(`/v1/audit-log?workspace_id=ws_one&form_id=${form}&action=${action}`);

  const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed');

  it('is made once, and answered alike each time, the secret included', async () => {
    const first = await create();
    const again = await create();
    expect(first.status).toBe(201);
    expect(first.body.secret).toMatch(/^whsec_/);
    expect(replayed(first)).toBeNull();
    expect(replayed(again)).toBe('true');
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    for (const name of ['etag', 'cache-control', 'content-type']) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(await listed(endpoints)).toHaveLength(1);
    expect(await audited('endpoint.created')).toHaveLength(1);
    const shown = (await audited('secret.shown_again')) as { target: unknown }[];
    expect(shown.map(({ target }) => target)).toEqual([{ type: 'endpoint', id: first.body.id }]);
  });

  it('that makes a key is written down each time the key is shown again', async () => {
    const body = { name: 'k', workspace_id: 'ws_shown', scopes: ['endpoints:read'] };
    const first = await call('POST', '/v1/api-keys', { body });
    for (let n = 0; n < 2; n++) expect((await call('POST', '/v1/api-keys', { body })).body.key).toBe(first.body.key);
    const shown = (await listed('/v1/audit-log?workspace_id=ws_shown&action=api_key.shown_again')) as {
      target: unknown;
    }[];
    expect(shown.map(({ target }) => target)).toEqual(Array(2).fill({ type: 'api_key', id: first.body.id }));
  });

  it('is refused when the key stands for another request, whatever differs', async () => {
    const { id } = (await create()).body;
    const others = [
      await create({ description: 'other' }),
      await call('POST', `${endpoints}/${id}/test`),
      await call('PATCH', `${endpoints}/${id}`, { body: { url: 'https://hooks.example.com/a' } }),
      // Before anything else is looked at.
      await call('POST', endpoints, { body: { nonsense: true } }),
    ];
    for (const { status, body } of others) expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await listed(endpoints)).toHaveLength(1);
  });

  it('is another caller’s own business', async () => {
    const owners = await Promise.all([1, 2].map(() => stage.key('ws_one', WORKSPACE_SCOPES)));
    for (const owner of owners) expect((await create({}, { key: owner })).status).toBe(201);
    expect(await listed(endpoints)).toHaveLength(2);
  });

  it('needs the same rights when it is asked again', async () => {
    await create();
    const viewer = await stage.key('ws_one', ['endpoints:read']);
    expect((await create({}, { key: viewer })).status).toBe(403);
  });

  it('leaves the key free when nothing was done', async () => {
    stage.answerUrlCheck = () => Promise.resolve({ ok: false, code: 'dns', message: 'Unknown.' });
    expect((await create()).status).toBe(422);
    stage.answerUrlCheck = () => Promise.resolve({ ok: true, status: 204 });
    expect((await create()).status).toBe(201);
    // Also for something else.
    key += ':2';
    expect((await call('POST', `${endpoints}/we_unknown/test`)).status).toBe(404);
    expect((await create()).status).toBe(201);
  });

  it('is made once when it is sent many times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create()));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThanOrEqual(1);
    expect(new Set(made.map(({ body }) => body.secret)).size).toBe(1);
    for (const { status, body, headers } of answers.filter((answer) => !made.includes(answer))) {
      expect([status, body.code]).toEqual([409, 'in_progress']);
      expect(headers.get('retry-after')).toBe('1');
    }
    expect(await listed(endpoints)).toHaveLength(1);
    expect((await create()).body).toEqual(made[0]!.body);
  });

  it('is not made again when the service ended between the change and the answer', async () => {
    await create();
    await database.query('UPDATE idempotent_writes SET sealed_answer = NULL WHERE key = $1', [key]);
    expect((await create()).body.code).toBe('in_progress');
    await database.query(`UPDATE idempotent_writes SET claimed_at = now() - interval '2 minutes' WHERE key = $1`, [
      key,
    ]);
    const lost = await create();
    expect([lost.status, lost.body.code]).toEqual([409, 'answer_lost']);
    expect(await listed(endpoints)).toHaveLength(1);
  });

  it('is new again after a day', async () => {
    await create();
    await database.query(`UPDATE idempotent_writes SET claimed_at = now() - interval '25 hours' WHERE key = $1`, [key]);
    const anew = await create({ description: 'the next day' });
    expect(anew.status).toBe(201);
    expect(replayed(anew)).toBeNull();
    expect((await create({ description: 'the next day' })).body).toEqual(anew.body);
    expect(await listed(endpoints)).toHaveLength(2);
  });

  it('keeps no secret in the clear, nor opens it for another key', async () => {
    const { secret } = (await create()).body;
    const { rows } = await database.query('SELECT * FROM idempotent_writes WHERE key = $1', [key]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length, -1));
    const [{ sealed_answer: sealed }] = rows;
    key += ':2';
    await create();
    await database.query('UPDATE idempotent_writes SET sealed_answer = $2 WHERE key = $1', [key, sealed]);
    const moved = await create();
    expect([moved.status, moved.body.code]).toEqual([409, 'answer_lost']);
  });

  it.each(['', 'x'.repeat(65), 'a b', 'ü', 'a,b'])('is refused with the unusable key "%s"', async (bad) => {
    const refused = await stage.call('POST', endpoints, {
      body: { url: 'https://hooks.example.com/a' },
      headers: { 'idempotency-key': encodeURI(bad) },
    });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toMatchObject([{ field: 'Idempotency-Key', code: 'format' }]);
    expect(await listed(endpoints)).toEqual([]);
  });

  describe('on each route that takes one', () => {
    const twice = async (method: string, path: string, body?: object): Promise<[Answer, Answer]> => {
      const options = body === undefined ? {} : { body };
      return [await call(method, path, options), await call(method, path, options)];
    };

    /** What was answered, and that nothing was done for the second call. */
    const expectOnce = ([first, again]: [Answer, Answer]): Answer => {
      expect(first.status).toBeLessThan(300);
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
      return first;
    };

    const endpoint = async (): Promise<string> =>
      (await stage.call('POST', endpoints, { body: { url: 'https://hooks.example.com/a' } })).body.id;

    it('changes an endpoint once', async () => {
      const path = `${endpoints}/${await endpoint()}`;
      const { body } = expectOnce(await twice('PATCH', path, { description: 'new' }));
      expect(body.version).toBe(2);
      // By then somebody else may have changed it: a repetition must not set it back.
      await stage.call('PATCH', path, { body: { description: 'newer' } });
      await call('PATCH', path, { body: { description: 'new' } });
      expect((await stage.call('GET', path)).body).toMatchObject({ description: 'newer', version: 3 });
    });

    it('prepares and replaces a secret once', async () => {
      const path = `${endpoints}/${await endpoint()}/secret`;
      const prepared = expectOnce(await twice('POST', `${path}/prepare`)).body.secret;
      key += ':2';
      const { body } = expectOnce(await twice('POST', `${path}/regenerate`, { overlap_seconds: 60 }));
      // A second one would have replaced the prepared secret by a fresh one.
      expect(body.secret_hint.slice(-4)).toBe(prepared.slice(-4));
      expect(await audited('secret.regenerated')).toHaveLength(1);
    });

    it('sends a test once', async () => {
      expectOnce(await twice('POST', `${endpoints}/${await endpoint()}/test`));
      const { rows } = await database.query('SELECT count(*)::int AS sent FROM deliveries WHERE form_id = $1', [form]);
      expect(rows).toEqual([{ sent: 1 }]);
    });

    it('makes a key once, and shows it again', async () => {
      const body = { name: `k${tries}`, workspace_id: 'ws_keys', scopes: ['endpoints:read'] };
      const made = expectOnce(await twice('POST', '/v1/api-keys', body)).body;
      expect((await stage.call('GET', endpoints, { key: made.key })).status).toBe(404);
      expect(await listed('/v1/api-keys?workspace_id=ws_keys')).toHaveLength(1);
    });

    it('begins a replay of many once', async () => {
      const filter = { state: 'failed' };
      const { body } = expectOnce(await twice('POST', `/v1/forms/${form}/replays`, { filter }));
      expect(body.id).toMatch(/^rpl_/);
      expect(await audited('replay.started')).toHaveLength(1);
    });

    it('replays a delivery once', async () => {
      const test = await stage.call('POST', `${endpoints}/${await endpoint()}/test`);
      const { delivery_id: id } = test.body;
      await database.query(
        `UPDATE deliveries SET state = 'failed', reason = 'exhausted', trigger = 'event' WHERE delivery_id = $1`,
        [id],
      );
      expectOnce(await twice('POST', `/v1/forms/${form}/deliveries/${id}/replay`));
      expect(await audited('delivery.replayed')).toHaveLength(1);
    });
  });

  it('is what every POST and PATCH of the API takes that changes something', async () => {
    const { paths } = (await stage.call('GET', '/docs-json', { key: null })).body as {
      paths: Record<string, Record<string, { operationId: string; parameters?: { name: string; in: string }[] }>>;
    };
    const operations = Object.values(paths).flatMap(({ post, patch }) => [post, patch].filter((found) => !!found));
    const without = operations.filter(
      ({ parameters = [] }) => !parameters.some((each) => each.in === 'header' && each.name === 'idempotency-key'),
    );
    expect(operations.length).toBeGreaterThan(7);
    // The dashboard's change nothing that a repeat would do twice: another code harms nobody, and one is good once.
    const expected = ['preview_replay', 'create_dashboard_code', 'begin_dashboard_session'];
    expect(without.map(({ operationId }) => operationId).toSorted()).toEqual(expected.toSorted());
  });
});
