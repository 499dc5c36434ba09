import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateApiKey } from '@form-webhooks/domain';
import { WORKSPACE_SCOPES, type Scope } from '@form-webhooks/http-api';
import { ADMIN_KEY, ConfigStage, startableService, startedAt } from '../support/config/config-stage.js';
import { sampleOf } from '../support/metrics/samples.js';

describe('who may call', () => {
  let stage: ConfigStage;
  let form: string;

  beforeAll(async () => {
    stage = await ConfigStage.open();
    form = await stage.form('ws_one');
  });
  afterAll(() => stage.close());

  const get = (key: string | null, path = `/v1/forms/${form}/endpoints`) => stage.call('GET', path, { key });

  it('nobody without a credential', async () => {
    const answer = await get(null);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('nobody with a key that is mistyped, unknown, cut, or in the query', async () => {
    const key = await stage.key('ws_one', ['endpoints:read']);
    expect((await get(key)).status).toBe(200);
    const mistyped = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
    for (const wrong of [mistyped, generateApiKey().key, key.slice(0, 20), `${key}x`]) {
      expect((await get(wrong)).status).toBe(401);
    }
    expect((await get(null, `/v1/forms/${form}/endpoints?api_key=${key}`)).status).toBe(401);
    const basic = await stage.call('GET', `/v1/forms/${form}/endpoints`, {
      key: null,
      headers: { authorization: key },
    });
    expect(basic.status).toBe(401);
    const { healthUrl } = await stage.service.start();
    expect(await sampleOf(healthUrl, 'config_callers_refused_total', { cause: 'not_valid' })).toBeGreaterThanOrEqual(4);
    expect(await sampleOf(healthUrl, 'config_callers_refused_total', { cause: 'no_credential' })).toBeGreaterThan(0);
  });

  it('nobody with a key that has been revoked', async () => {
    const made = await stage.call('POST', '/v1/api-keys', {
      body: { name: 'k', workspace_id: 'ws_one', scopes: ['endpoints:read'] },
    });
    const { id, key } = made.body;
    expect((await get(key)).status).toBe(200);
    expect((await stage.call('DELETE', `/v1/api-keys/${id}?workspace_id=ws_one`)).status).toBe(204);
    expect((await get(key)).status).toBe(401);
    expect((await stage.call('DELETE', `/v1/api-keys/${id}?workspace_id=ws_one`)).status).toBe(404);
  });

  it('nobody with a key that has expired', async () => {
    // Again if a machine that stood still was told of it too late.
    const { made, expires_at } = await vi.waitFor(async () => {
      const soon = new Date(Date.now() + 500).toISOString();
      const body = { name: 'k', workspace_id: 'ws_one', scopes: ['endpoints:read'], expires_at: soon };
      const answer = await stage.call('POST', '/v1/api-keys', { body });
      expect(answer.status).toBe(201);
      return { made: answer, expires_at: soon };
    });
    expect(made.body.expires_at).toBe(expires_at);
    const status = async () => (await get(made.body.key)).status;
    while (Date.now() < Date.parse(expires_at)) await status();
    expect(await status()).toBe(401);
  });

  it('only with the scope that the call needs', async () => {
    const reader = await stage.key('ws_one', ['deliveries:read']);
    const answer = await get(reader);
    expect(answer.status).toBe(403);
    expect(answer.body.detail).toContain('endpoints:read');
  });

  it('another workspace’s form is as unknown as one that does not exist', async () => {
    const stranger = await stage.key('ws_two', ['endpoints:read']);
    const withoutId = ({ body, status }: { body: { request_id?: string }; status: number }) => ({
      status,
      body: { ...body, request_id: undefined },
    });
    const foreign = await get(stranger);
    expect(foreign.status).toBe(404);
    expect(withoutId(foreign)).toEqual(withoutId(await get(stranger, '/v1/forms/f_nothing/endpoints')));
    expect((await get(stranger, '/v1/forms/f_%00/endpoints')).status).toBe(404);
  });

  it('form registration and event keys are for service keys alone', async () => {
    for (const scope of ['forms:write', 'events:write'] as const) {
      const refused = await stage.call('POST', '/v1/api-keys', {
        body: { name: 'k', workspace_id: 'ws_one', scopes: [scope] },
      });
      expect(refused.status).toBe(422);
      expect(refused.body.errors[0]).toMatchObject({ field: 'scopes', code: 'not_allowed' });
    }
    const service = await stage.call('POST', '/v1/api-keys', {
      body: { name: 'ingest', kind: 'service', scopes: ['events:write'] },
    });
    expect(service.body).toMatchObject({ kind: 'service', workspace_id: null, scopes: ['events:write'] });
  });

  it('a service key names the workspace, and nobody else does', async () => {
    const owner = await stage.key('ws_one', WORKSPACE_SCOPES);
    for (const path of ['/v1/audit-log', '/v1/api-keys']) {
      expect((await get(ADMIN_KEY, path)).body.errors[0]).toMatchObject({ field: 'workspace_id', code: 'required' });
      expect((await get(ADMIN_KEY, `${path}?workspace_id=nonsense`)).status).toBe(422);
      expect((await get(ADMIN_KEY, `${path}?workspace_id=ws_one`)).status).toBe(200);
      expect((await get(owner, path)).status).toBe(200);
      expect((await get(owner, `${path}?workspace_id=ws_one`)).status).toBe(422);
    }
    expect((await get(owner, `/v1/forms/${form}/endpoints?workspace_id=ws_one`)).status).toBe(422);
    const body = { name: 'k', scopes: ['endpoints:read'] };
    expect((await stage.call('POST', '/v1/api-keys', { body })).status).toBe(422);
    const named = { ...body, workspace_id: 'ws_one' };
    expect((await stage.call('POST', '/v1/api-keys', { key: owner, body: named })).status).toBe(422);
    const made = await stage.call('POST', '/v1/api-keys', { key: owner, body });
    expect(made.body).toMatchObject({ kind: 'workspace', workspace_id: 'ws_one' });
  });

  it('nobody gives away more than they have', async () => {
    const limited = await stage.key('ws_one', ['keys:write', 'endpoints:read']);
    const make = (scopes: readonly Scope[], more: object = {}) =>
      stage.call('POST', '/v1/api-keys', { key: limited, body: { name: 'k', scopes, ...more } });
    expect((await make(['endpoints:read'])).status).toBe(201);
    expect((await make(['endpoints:write'])).status).toBe(422);
    expect((await make(['endpoints:read'], { kind: 'service' })).status).toBe(403);
    expect((await get(limited, '/v1/api-keys?kind=service')).status).toBe(403);
  });

  it('a key that a key makes ends with it', async () => {
    const expires_at = new Date(Date.now() + 600_000).toISOString();
    const body = { name: 'k', scopes: WORKSPACE_SCOPES };
    const short = await stage.call('POST', '/v1/api-keys', { body: { ...body, workspace_id: 'ws_one', expires_at } });
    const made = await stage.call('POST', '/v1/api-keys', { key: short.body.key, body });
    expect([made.status, made.body.expires_at]).toEqual([201, expires_at]);
  });

  it('keys are so many at most, also if two are made at a time, and those that have expired do not count', async () => {
    const body = { name: 'k', workspace_id: 'ws_full', scopes: ['endpoints:read'] };
    const make = async () => (await stage.call('POST', '/v1/api-keys', { body })).status;
    const statuses: number[] = [];
    while (!statuses.includes(409)) statuses.push(...(await Promise.all(Array.from({ length: 7 }, make))));
    expect(statuses.filter((status) => status === 201)).toHaveLength(100);
    const client = new pg.Client({ connectionString: stage.databaseUrl });
    await client.connect();
    await client.query(`UPDATE api_keys SET expires_at = now() WHERE id =
      (SELECT id FROM api_keys WHERE workspace_id = 'ws_full' LIMIT 1)`);
    await client.end();
    expect([await make(), await make()]).toEqual([201, 409]);
  });

  it('keys are listed without what opens the door, with their last use', async () => {
    const key = await stage.key('ws_listed', ['endpoints:read']);
    await get(key, '/v1/source-ips');
    const listed = await get(ADMIN_KEY, '/v1/api-keys?workspace_id=ws_listed');
    // Told within a minute of the use, which may be just now.
    const [{ last_used_at: lastUsedAt, ...item }, ...others] = listed.body.items;
    expect(others).toEqual([]);
    expect(lastUsedAt === null || Date.parse(lastUsedAt) <= Date.now()).toBe(true);
    expect(item).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'test',
      kind: 'workspace',
      workspace_id: 'ws_listed',
      scopes: ['endpoints:read'],
      expires_at: null,
      created_at: expect.any(String),
    });
    await stage.call('POST', '/v1/api-keys', { body: { name: 's', kind: 'service', scopes: ['endpoints:read'] } });
    const services = await get(ADMIN_KEY, '/v1/api-keys?kind=service');
    expect(services.body.items).not.toEqual([]);
    expect(services.body.items.every((item: { kind: string }) => item.kind === 'service')).toBe(true);
  });

  it('a service key is revoked by naming its kind', async () => {
    const made = await stage.call('POST', '/v1/api-keys', {
      body: { name: 's', kind: 'service', scopes: ['endpoints:read'] },
    });
    expect((await stage.call('DELETE', `/v1/api-keys/${made.body.id}?kind=service`)).status).toBe(204);
    expect((await get(made.body.key)).status).toBe(401);
  });
});

describe('too many requests', () => {
  it('with wrong credentials from one address are refused for a while, the right ones are not', async () => {
    const stage = await ConfigStage.open({ FAILED_AUTHENTICATIONS_PER_MINUTE: '10' });
    try {
      const wrong = () => stage.call('GET', '/v1/source-ips', { key: generateApiKey().key });
      const answers = [];
      for (let i = 0; i < 16; i++) answers.push(await wrong());
      expect(answers.slice(0, 10).map((answer) => answer.status)).toEqual(Array(10).fill(401));
      // Another one may fail each six seconds.
      const refused = answers.find(({ status }) => status === 429)!;
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await stage.call('GET', '/v1/source-ips')).status).toBe(200);
    } finally {
      await stage.close();
    }
  });

  it('with wrong credentials are refused to an IPv4 address also when it comes mapped to IPv6', async () => {
    const env = { FAILED_AUTHENTICATIONS_PER_MINUTE: '10', TRUSTED_PROXIES: '127.0.0.1' };
    const stage = await ConfigStage.open(env);
    try {
      const statusFor = async (address: string): Promise<number> => {
        const headers = { 'x-forwarded-for': address };
        return (await stage.call('GET', '/v1/source-ips', { key: generateApiKey().key, headers })).status;
      };
      for (let i = 0; i < 16; i++) await statusFor('192.0.2.7');
      // Of which one may come when the next failure is allowed; an address of its own might fail ten times.
      const mapped = [1, 2, 3].map(() => statusFor('::ffff:192.0.2.7'));
      expect(await Promise.all(mapped)).toContain(429);
      expect(await statusFor('::ffff:192.0.2.8')).toBe(401);
    } finally {
      await stage.close();
    }
  });

  it('with wrong credentials are refused over all replicas together', async () => {
    const env = { FAILED_AUTHENTICATIONS_PER_MINUTE: '10' };
    const stage = await ConfigStage.open(env);
    const second = startableService(stage.databaseUrl, env);
    const urls = [stage.url, await startedAt(second)];
    try {
      const statuses: number[] = [];
      const began = performance.now();
      for (let i = 0; i < 20; i++) {
        const response = await fetch(`${urls[i % 2]!}/v1/source-ips`, {
          headers: { authorization: `Bearer ${generateApiKey().key}` },
        });
        await response.arrayBuffer();
        statuses.push(response.status);
      }
      const judged = statuses.filter((status) => status === 401).length;
      expect(judged).toBeGreaterThanOrEqual(10);
      const allowedSince = Math.floor((performance.now() - began) / 6_000);
      expect(judged, 'one count for both, not ten for each').toBeLessThanOrEqual(12 + allowedSince);
      expect(
        statuses.filter((status) => status !== 401 && status !== 429),
        'all others are refused',
      ).toEqual([]);
    } finally {
      await second.stop();
      await stage.close();
    }
  });

  it('with one key are refused over all replicas together', async () => {
    const stage = await ConfigStage.open({ REQUESTS_PER_MINUTE: '30' });
    const second = startableService(stage.databaseUrl, { REQUESTS_PER_MINUTE: '30' });
    const urls = [stage.url, await startedAt(second)];
    try {
      const statuses: number[] = [];
      const began = performance.now();
      for (let i = 0; i < 60; i++) {
        const response = await fetch(`${urls[i % 2]!}/v1/source-ips`, {
          headers: { authorization: `Bearer ${ADMIN_KEY}` },
        });
        await response.arrayBuffer();
        statuses.push(response.status);
      }
      const served = statuses.filter((status) => status === 200).length;
      expect(served).toBeGreaterThanOrEqual(30);
      const allowedSince = Math.floor((performance.now() - began) / 2_000);
      expect(served, 'one count for both, not thirty for each').toBeLessThanOrEqual(34 + allowedSince);
      expect(
        statuses.filter((status) => status !== 200 && status !== 429),
        'all others are refused',
      ).toEqual([]);
    } finally {
      await second.stop();
      await stage.close();
    }
  });
});
