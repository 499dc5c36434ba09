import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, WORKSPACE_SCOPES } from '@form-webhooks/http-api';
import { ADMIN_KEY, ConfigStage } from '../support/config/config-stage.js';

const OWN_PAGE = { 'x-dashboard': '1' };
const PERSON = { user: 'u_42', role: 'owner' } as const;

let stage: ConfigStage;
let formId: string;

beforeAll(async () => {
  stage = await ConfigStage.open({ DASHBOARD_SESSION: '1h' });
  formId = await stage.form('ws_dash');
});
afterAll(() => stage.close());

const askForCode = (body: object, key = ADMIN_KEY) => stage.call('POST', '/v1/dashboard/codes', { key, body });

async function codeFor(person: object = PERSON): Promise<string> {
  const { status, body } = await askForCode({ form_id: formId, ...person });
  expect(status).toBe(201);
  return body.code as string;
}

const exchange = (code: string, headers: Record<string, string> = OWN_PAGE) =>
  stage.call('POST', '/v1/dashboard/session', { key: null, body: { code }, headers });

async function cookieFor(person: object = PERSON): Promise<string> {
  const answer = await exchange(await codeFor(person));
  expect(answer.status).toBe(200);
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}

const as = (cookie: string, method: string, path: string, headers: Record<string, string> = OWN_PAGE, body?: unknown) =>
  stage.call(method, path, { key: null, body, headers: { cookie, ...headers } });

describe('a one-time code', () => {
  it('becomes a session in a cookie that no script can read, and stands in the fragment alone', async () => {
    const { body } = await askForCode({
      form_id: formId,
      ...PERSON,
      host_url: 'https://forms.example.com/integrations',
    });
    expect(body.path).toBe(`/dashboard/#code=${body.code}`);
    const answer = await exchange(body.code);
    expect(answer.body).toMatchObject({
      actor: 'user:u_42',
      workspace_id: 'ws_dash',
      form_id: formId,
      host_url: 'https://forms.example.com/integrations',
    });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^dashboard=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('is exchanged once, also if many try at the same moment', async () => {
    const code = await codeFor();
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => exchange(code)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([200, 401]));
  });

  it('is refused for a form that is not there, and to keys that could not make a key', async () => {
    expect((await askForCode({ form_id: 'f_unknown', ...PERSON })).status).toBe(404);
    const reader = await stage.key('ws_dash', ['endpoints:read']);
    expect((await askForCode({ form_id: formId, ...PERSON }, reader)).status).toBe(403);
    const some = await stage.key('ws_dash', ['keys:write', 'endpoints:read']);
    expect((await askForCode({ form_id: formId, ...PERSON }, some)).status).toBe(403);
    const foreign = await stage.key('ws_other', ['keys:write', 'endpoints:read', 'deliveries:read', 'audit:read']);
    expect((await askForCode({ form_id: formId, user: 'u_1', role: 'viewer' }, foreign)).status).toBe(404);
  });

  it('says who it is for, and leads to no other scheme than the web', async () => {
    expect((await askForCode({ form_id: formId })).status).toBe(422);
    const script = { form_id: formId, ...PERSON, host_url: 'javascript:alert(1)' };
    expect((await askForCode(script)).status).toBe(422);
  });
});

describe('a session', () => {
  it('may what its role may, in its workspace alone', async () => {
    const foreign = await stage.form('ws_other');
    const viewer = await cookieFor({ user: 'u_7', role: 'viewer' });
    const path = `/v1/forms/${formId}/endpoints`;
    expect((await as(viewer, 'GET', path)).status).toBe(200);
    expect((await as(viewer, 'POST', path, OWN_PAGE, { url: 'https://hooks.example.com/' })).status).toBe(403);
    expect((await as(viewer, 'GET', `/v1/forms/${foreign}/endpoints`)).status).toBe(404);
    const owner = await cookieFor();
    const made = await as(owner, 'POST', path, OWN_PAGE, { url: 'https://hooks.example.com/' });
    expect(made.status).toBe(201);
    const { body } = await stage.call('GET', '/v1/audit-log?workspace_id=ws_dash&action=endpoint.created');
    expect(body.items[0].actor).toBe('user:u_42');
  });

  it('changes nothing for a page of another origin', async () => {
    const cookie = await cookieFor();
    const path = `/v1/forms/${formId}/endpoints`;
    const body = { url: 'https://hooks.example.com/csrf' };
    const foreign: Record<string, string>[] = [
      {},
      { ...OWN_PAGE, origin: 'https://evil.example' },
      { ...OWN_PAGE, 'sec-fetch-site': 'same-site' },
      { origin: stage.url, 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of foreign) {
      expect((await as(cookie, 'POST', path, headers, body)).status, JSON.stringify(headers)).toBe(403);
    }
    expect((await as(cookie, 'GET', path, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await as(cookie, 'POST', path, { ...OWN_PAGE, origin: stage.url }, body)).status).toBe(201);
  });

  it('can neither prolong itself nor be presented as a key', async () => {
    const cookie = await cookieFor();
    expect((await as(cookie, 'POST', '/v1/dashboard/codes', OWN_PAGE, { form_id: formId })).status).toBe(403);
    const asKey = await stage.call('GET', `/v1/forms/${formId}/endpoints`, { key: cookie.split('=')[1]! });
    expect(asKey.status).toBe(401);
  });

  it('makes no key that could open another one', async () => {
    const cookie = await cookieFor();
    const make = (scopes: string[]) => as(cookie, 'POST', '/v1/api-keys', OWN_PAGE, { name: 'k', scopes });
    const { status, body } = await make(['endpoints:read', 'keys:write']);
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ field: 'scopes', code: 'not_allowed' })]]);
    expect((await make(['endpoints:read'])).status).toBe(201);
  });

  it('ends with the key that opened it, as does a code that nobody has exchanged yet', async () => {
    const asked = { form_id: formId, ...PERSON };
    const made = await stage.call('POST', '/v1/api-keys', {
      body: { name: 'host', kind: 'service', scopes: SCOPES },
    });
    const [first, second] = await Promise.all([1, 2].map(() => askForCode(asked, made.body.key)));
    const cookie = (await exchange(first!.body.code)).headers.get('set-cookie')!.split(';')[0]!;
    const other = await cookieFor();
    expect((await as(cookie, 'GET', '/v1/dashboard/session')).status).toBe(200);
    expect((await stage.call('DELETE', `/v1/api-keys/${made.body.id}?kind=service`)).status).toBe(204);
    expect((await as(cookie, 'GET', '/v1/dashboard/session')).status).toBe(401);
    expect((await exchange(second!.body.code)).status).toBe(401);
    expect((await as(other, 'GET', '/v1/dashboard/session')).status).toBe(200);
  });

  it('lasts no longer than the key that opened it', async () => {
    const expires_at = new Date(Date.now() + 600_000).toISOString();
    const body = { name: 'short', workspace_id: 'ws_dash', scopes: WORKSPACE_SCOPES, expires_at };
    const made = await stage.call('POST', '/v1/api-keys', { body });
    const { body: code } = await askForCode({ form_id: formId, ...PERSON }, made.body.key);
    expect((await exchange(code.code)).body.expires_at).toBe(expires_at);
  });

  it('survives a restart, and ends when its owner signs out', async () => {
    const cookie = await cookieFor();
    expect((await as(cookie, 'GET', '/v1/dashboard/session')).body).toMatchObject({ form_id: formId });
    const ended = await as(cookie, 'DELETE', '/v1/dashboard/session');
    expect(ended.status).toBe(204);
    expect(ended.headers.get('set-cookie')).toContain('Max-Age=0');
    expect((await as(cookie, 'GET', '/v1/dashboard/session')).status).toBe(401);
  });
});

describe('the served page', () => {
  it('lets in nothing inline and nothing of another origin, and is asked for anew each time', async () => {
    const page = await fetch(`${stage.url}/dashboard/forms/${formId}/endpoints`);
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const html = await page.text();
    expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)|https?:\/\//);
    const again = await fetch(page.url, { headers: { 'if-none-match': page.headers.get('etag')! } });
    expect(again.status).toBe(304);
  });

  it('has files that never change, compressed, and no others', async () => {
    const html = await (await fetch(`${stage.url}/dashboard/`)).text();
    const script = /src="(\/dashboard\/assets\/[^"]+)"/.exec(html)![1]!;
    const answer = await fetch(`${stage.url}${script}`, { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const file = readFileSync(
      join(import.meta.dirname, '../../apps/dashboard/dist', script.slice('/dashboard/'.length)),
    );
    const served = Buffer.from(await answer.arrayBuffer());
    expect(createHash('sha256').update(served).digest('hex')).toBe(createHash('sha256').update(file).digest('hex'));
    for (const path of ['assets/missing.js', 'assets/..%2f..%2fpackage.json', 'assets/%2e%2e/%2e%2e/package.json']) {
      const missing = await fetch(`${stage.url}/dashboard/${path}`);
      expect(await missing.text(), path).not.toContain('form-webhooks');
    }
  });
});
