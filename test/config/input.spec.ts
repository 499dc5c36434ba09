import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, ConfigStage } from '../support/config/config-stage.js';

describe('hostile input', () => {
  let stage: ConfigStage;
  let endpoints: string;

  beforeAll(async () => {
    stage = await ConfigStage.open({ CORS_ORIGINS: 'https://dashboard.example.com' });
    endpoints = `/v1/forms/${await stage.form('ws_one')}/endpoints`;
  });
  afterAll(() => stage.close());

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    stage.call('POST', endpoints, { body, headers });

  it('tells all that is wrong at once', async () => {
    const answer = await post({
      url: 7,
      events: [],
      enabled: 'true',
      description: 'a\u0000b',
      secret: 'x',
      id: 'we_1',
    });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    const errors = answer.body.errors as { field: string; code: string; message: string }[];
    expect(errors.map(({ field, code }) => [field, code]).sort()).toEqual([
      ['description', 'invalid'],
      ['enabled', 'type'],
      ['events', 'empty'],
      ['id', 'unknown_member'],
      ['secret', 'unknown_member'],
      ['url', 'type'],
    ]);
    expect(errors.every(({ message }) => message.endsWith('.'))).toBe(true);
  });

  it.each([
    ['url', {}, 'required'],
    ['url', { url: null }, 'type'],
    ['events', { url: 'https://a.example', events: ['a'] }, 'not_allowed'],
    ['events', { url: 'https://a.example', events: ['draft.resumed', 'draft.resumed'] }, 'repeated'],
    ['description', { url: 'https://a.example', description: '\ud800' }, 'invalid'],
    ['description', { url: 'https://a.example', description: 'x'.repeat(501) }, 'too_long'],
  ])('names the member %s in %j', async (field, body, code) => {
    const answer = await post(body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toContainEqual({ field, code, message: expect.any(String) });
  });

  it.each(['enabled', 'url', 'events'])('takes no null for %s in a change', async (member) => {
    const { id } = (await post({ url: 'https://a.example.com' })).body;
    const answer = await stage.call('PATCH', `${endpoints}/${id}`, { body: { [member]: null } });
    expect(answer.status).toBe(422);
    await stage.call('DELETE', `${endpoints}/${id}`);
  });

  it.each([
    ['what is no JSON', '{"url":', 400],
    ['white space', ' ', 400],
    ['a number', '123', 422],
    ['a list', '[]', 422],
    ['null', 'null', 422],
    ['a depth of 100,000', `{"url":${'['.repeat(40_000)}`, 422],
    ['a repeated member', '{"url":"https://a.example","url":"https://b.example"}', 422],
    ['__proto__', '{"url":"https://a.example","__proto__":{"enabled":false}}', 422],
    ['toString', '{"url":"https://a.example","toString":1}', 422],
    ['an escaped constructor', '{"url":"https://a.example","constr\\u0075ctor":{}}', 422],
  ])('refuses %s', async (_, body, status) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ status, request_id: expect.stringMatching(/^req_/) });
  });

  it('refuses bytes that are no UTF-8', async () => {
    const response = await fetch(stage.url + endpoints, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    });
    expect(response.status).toBe(400);
  });

  it('refuses more than 100 KiB, other media types and compressed bodies', async () => {
    expect((await post(`{"url":"${'x'.repeat(110_000)}"}`)).status).toBe(413);
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('{}', { 'content-type': 'application/xml' })).status).toBe(415);
    expect((await post('{}', { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('answers a broken request head with a problem document', async () => {
    const { port } = new URL(stage.url);
    const status = await new Promise<number>((resolve, reject) => {
      const request = httpRequest({ port, method: 'GET', path: '/v1/source-ips', headers: { x: 'a'.repeat(20_000) } });
      request.on('response', (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      request.on('error', reject);
      request.end();
    });
    expect(status).toBe(431);
  });

  it('says which verbs a path serves, and that a path is unknown', async () => {
    const wrongVerb = await stage.call('PUT', endpoints);
    expect(wrongVerb.status).toBe(405);
    expect(wrongVerb.headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await stage.call('GET', '/v1/nothing')).status).toBe(404);
    expect((await stage.call('GET', '/%E0%A4%A')).status).toBe(400);
  });

  it('refuses unknown and wrong query parameters', async () => {
    for (const query of [
      'limit=0',
      'limit=1e2',
      'limit=-1',
      'limit=101',
      'limit=1&limit=2',
      'page=2',
      'limit=',
      '__proto__=1',
      'toString=1',
    ]) {
      expect((await stage.call('GET', `${endpoints}?${query}`)).status, query).toBe(422);
    }
  });

  it('opens to pages of configured origins only', async () => {
    const from = (origin: string) => stage.call('GET', '/v1/source-ips', { headers: { origin } });
    const allowed = await from('https://dashboard.example.com');
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://dashboard.example.com');
    expect((await from('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('reads nothing of a body before it knows the caller', async () => {
    for (const body of ['{"url":', '[]', 'x'.repeat(200_000)]) {
      const answer = await stage.call('POST', endpoints, { key: null, body });
      expect([answer.status, answer.body.status]).toEqual([401, 401]);
    }
    expect((await stage.call('POST', endpoints, { key: null, headers: { 'content-type': 'text/plain' } })).status).toBe(
      401,
    );
  });

  const CURSORS = [
    '[8e20,"x"]',
    '[1.5]',
    '[1.5,"x"]',
    '[-1]',
    '[0]',
    '[1e300]',
    '["1"]',
    '[null]',
    '[0,"\\u0000"]',
    '[0,"a b"]',
  ];
  const PLACES = ['["x",1]', '[9e15,"dlv_x"]', `[1,"${'x'.repeat(65)}"]`, '{}', '[]', '7', 'x', '\0'];

  it.each([...CURSORS, ...PLACES])('refuses the made-up cursor %j of any list', async (text) => {
    const cursor = Buffer.from(text).toString('base64url');
    const lists = [endpoints, `${endpoints.replace('endpoints', 'deliveries')}`, '/v1/api-keys', '/v1/audit-log'];
    for (const list of lists) {
      const query = list.startsWith('/v1/forms') ? `cursor=${cursor}` : `workspace_id=ws_one&cursor=${cursor}`;
      const answer = await stage.call('GET', `${list}?${query}`);
      expect([list, answer.status, answer.body.errors?.[0]?.field]).toEqual([list, 422, 'cursor']);
    }
  });
});
