import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, VIEWER_SCOPES } from '@form-webhooks/http-api';
import { ConfigStage } from '../support/config/config-stage.js';

const SECRET = 'a shared secret of more than 32 bytes';
const ISSUED = { JWT_ISSUER: 'https://id.example', JWT_AUDIENCE: 'config' };

describe('what callers are told of themselves', () => {
  let stage: ConfigStage;

  beforeAll(async () => {
    stage = await ConfigStage.open({ ...ISSUED, JWT_SHARED_SECRET: SECRET });
  });
  afterAll(() => stage.close());

  const me = async (key?: string) => (await stage.call('GET', '/v1/me', key === undefined ? {} : { key })).body;
  const token = (role: string, lifeSeconds: number) =>
    new SignJWT({ iss: ISSUED.JWT_ISSUER, aud: ISSUED.JWT_AUDIENCE, sub: 'ada', workspace_id: 'ws_one', role })
      .setExpirationTime(Math.floor(Date.now() / 1_000) + lifeSeconds)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(SECRET));

  it('is that a service key reaches every workspace, and does not end unless it was made to', async () => {
    expect(await me()).toEqual({
      kind: 'service_key',
      actor: 'key:key_environment',
      scopes: [...SCOPES],
      workspaces: null,
      forms: null,
      expires_at: null,
      expires_in_seconds: null,
    });
  });

  it('is what a key of a workspace may do there, and until when', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const body = { name: 'k', workspace_id: 'ws_one', scopes: ['deliveries:read', 'endpoints:read'], expires_at };
    const made = (await stage.call('POST', '/v1/api-keys', { body })).body;
    const told = await me(made.key as string);
    expect(told).toMatchObject({
      kind: 'workspace_key',
      actor: `key:${made.id}`,
      scopes: ['endpoints:read', 'deliveries:read'],
      workspaces: ['ws_one'],
      expires_at,
    });
    expect(told.expires_in_seconds).toBeGreaterThan(3_400);
    expect(told.expires_in_seconds).toBeLessThan(3_600);
  });

  it('is how long the token of a person is valid', async () => {
    const told = await me(await token('viewer', 300));
    expect(told).toMatchObject({ kind: 'user', actor: 'user:ada', scopes: VIEWER_SCOPES, workspaces: ['ws_one'] });
    expect(told.expires_in_seconds).toBeGreaterThan(200);
    expect(Date.parse(told.expires_at as string)).toBeGreaterThan(Date.now());
  });

  it('is never more than a date can say', async () => {
    expect(await me(await token('owner', 1e17))).toMatchObject({ expires_at: '9999-12-31T23:59:59.000Z' });
  });
});

describe('the list of forms', () => {
  let stage: ConfigStage;
  let viewer: string;

  beforeAll(async () => {
    stage = await ConfigStage.open();
    viewer = await stage.key('ws_one', ['endpoints:read']);
    for (const [id, workspace, name] of FORMS) {
      await stage.call('PUT', `/v1/forms/${id}`, { body: { workspace_id: workspace, name } });
    }
    await stage.call('DELETE', '/v1/forms/f_removed');
  });
  afterAll(() => stage.close());

  const list = (query = '', key?: string) =>
    stage.call('GET', `/v1/forms${query}`, key === undefined ? {} : { key }).then(({ body }) => body);
  const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);

  it('has those of the caller’s workspace, newest first, and none that was removed', async () => {
    expect(idsOf(await list('', viewer))).toEqual(['f_third', 'f_second', 'f_first']);
    expect(idsOf(await list('?workspace_id=ws_two'))).toEqual(['f_other']);
    expect(idsOf(await list())).toEqual(['f_other', 'f_third', 'f_second', 'f_first']);
  });

  it('comes in pages', async () => {
    const first = await list('?limit=2', viewer);
    expect(idsOf(first)).toEqual(['f_third', 'f_second']);
    const second = await list(`?limit=2&cursor=${first.next_cursor}`, viewer);
    expect([idsOf(second), second.next_cursor]).toEqual([['f_first'], null]);
  });

  it('is searched by parts of names and ids as they are written, whatever their case', async () => {
    expect(idsOf(await list('?text=CONTACT', viewer))).toEqual(['f_first']);
    expect(idsOf(await list('?text=F_sec', viewer))).toEqual(['f_second']);
    expect(idsOf(await list('?text=%25', viewer)), 'no wildcard').toEqual(['f_third']);
    expect(idsOf(await list(`?text=${encodeURIComponent("' OR 1=1")}`, viewer))).toEqual([]);
  });

  it('is searched in one workspace at a time', async () => {
    const refused = await stage.call('GET', '/v1/forms?text=contact');
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'workspace_id']);
    expect(idsOf(await list('?text=contact&workspace_id=ws_two'))).toEqual(['f_other']);
  });

  it('has one form alone for who asks for one', async () => {
    const answer = await stage.call('GET', '/v1/forms/f_first', { key: viewer });
    expect(answer.body).toMatchObject({ id: 'f_first', workspace_id: 'ws_one', name: 'Contact us' });
    for (const id of ['f_other', 'f_removed', 'f_never']) {
      expect((await stage.call('GET', `/v1/forms/${id}`, { key: viewer })).status).toBe(404);
    }
  });
});

const FORMS = [
  ['f_first', 'ws_one', 'Contact us'],
  ['f_second', 'ws_one', 'Orders'],
  ['f_third', 'ws_one', '100 % off'],
  ['f_removed', 'ws_one', 'Gone'],
  ['f_other', 'ws_two', 'Contact them'],
] as const;
