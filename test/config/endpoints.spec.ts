import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { QUEUES } from '@form-webhooks/broker';
import { EVENT_NAMES } from '@form-webhooks/domain';
import { ConfigStage } from '../support/config/config-stage.js';

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

describe('endpoints of a form', () => {
  let stage: ConfigStage;
  let form: string;
  let endpoints: string;

  beforeAll(async () => {
    stage = await ConfigStage.open({ MAX_ENDPOINTS_PER_FORM: '3' });
  });
  afterAll(() => stage.close());

  beforeEach(async () => {
    form = await stage.form('ws_one');
    endpoints = `/v1/forms/${form}/endpoints`;
    stage.answerUrlCheck = () => Promise.resolve({ ok: true, status: 204 });
  });

  const create = (body: object = {}) =>
    stage.call('POST', endpoints, { body: { url: 'https://hooks.example.com/a', allow_duplicate_url: true, ...body } });

  it('are created with their secret, which is shown this once', async () => {
    const created = await create({ description: 'CRM', events: ['payment.succeeded', 'submission.created'] });
    expect(created.status).toBe(201);
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect(created.headers.get('etag')).toBe('"1"');
    expect(created.body).toEqual({
      id: expect.stringMatching(/^we_/),
      form_id: form,
      url: 'https://hooks.example.com/a',
      description: 'CRM',
      events: ['submission.created', 'payment.succeeded'],
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      version: 1,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updated_at: created.body.created_at,
      header_names: [],
      retry_statuses: null,
      redirect_is_success: false,
      retry_schedule: null,
      attempts_allowed: 8,
      rate_limit: null,
      secret_hint: `whsec_…${created.body.secret.slice(-4)}`,
      last_delivery_at: null,
      secret: expect.stringMatching(SECRET),
    });
    const { secret, ...shown } = created.body;
    const read = await stage.call('GET', `${endpoints}/${shown.id}`);
    expect(read.body).toEqual(shown);
    expect((await stage.call('GET', endpoints)).body).toEqual({ items: [shown], next_cursor: null });
    expect(JSON.stringify(read.body)).not.toContain(secret);
  });

  it('get all events unless the owner chooses', async () => {
    expect((await create()).body.events).toEqual(EVENT_NAMES);
  });

  it('store the canonical form of a URL that a dispatcher found to respond', async () => {
    const created = await create({ url: 'https://HOOKS.example.com.:443/x?y=1' });
    expect(created.body.url).toBe('https://hooks.example.com/x?y=1');
    expect(stage.checkedUrls.at(-1)).toBe('https://HOOKS.example.com.:443/x?y=1');
  });

  it.each([
    ['not_https', 'not_https'],
    ['tls_expired', 'tls'],
    ['reset', 'connect'],
    ['redirect', 'redirect'],
    ['address_not_allowed', 'address_not_allowed'],
  ] as const)('are refused with the words of a check that says %s', async (code, shown) => {
    stage.answerUrlCheck = () => Promise.resolve({ ok: false, code, message: 'Plain words.' });
    const refused = await create();
    expect(refused.status).toBe(422);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(refused.body).toMatchObject({
      code: shown,
      errors: [{ field: 'url', code: shown, message: 'Plain words.' }],
      request_id: refused.headers.get('x-request-id'),
    });
    expect((await stage.call('GET', endpoints)).body.items).toEqual([]);
  });

  it('change only where the owner asks, and say which version they are', async () => {
    const { id } = (await create()).body;
    const checks = stage.checkedUrls.length;
    const patched = await stage.call('PATCH', `${endpoints}/${id}`, { body: { enabled: false, description: null } });
    expect(patched.status).toBe(200);
    expect(patched.body).toMatchObject({ enabled: false, disabled_reason: 'owner', version: 2 });
    expect(patched.body.disabled_at, 'since this change').toBe(patched.body.updated_at);
    expect(patched.headers.get('etag')).toBe('"2"');
    expect(stage.checkedUrls).toHaveLength(checks);
    const again = await stage.call('PATCH', `${endpoints}/${id}`, { body: { enabled: false } });
    expect(again.body).toMatchObject({ version: 2, disabled_at: patched.body.disabled_at });
    const renamed = await stage.call('PATCH', `${endpoints}/${id}`, { body: { description: 'still off' } });
    expect(renamed.body).toMatchObject({ version: 3, disabled_at: patched.body.disabled_at });
    const on = await stage.call('PATCH', `${endpoints}/${id}`, {
      body: { enabled: true, url: 'https://b.example.com' },
    });
    const back = { enabled: true, disabled_reason: null, disabled_at: null };
    expect(on.body).toMatchObject({ ...back, url: 'https://b.example.com/', version: 4 });
    expect(stage.checkedUrls.at(-1)).toBe('https://b.example.com');
  });

  it('refuse a change by someone who has not seen the newest version', async () => {
    const { id } = (await create()).body;
    const path = `${endpoints}/${id}`;
    const first = await stage.call('PATCH', path, { body: { description: 'x' }, headers: { 'if-match': '"1"' } });
    expect(first.status).toBe(200);
    const late = await stage.call('PATCH', path, { body: { description: 'y' }, headers: { 'if-match': '"1"' } });
    expect(late.status).toBe(412);
    expect((await stage.call('DELETE', path, { headers: { 'if-match': '"1"' } })).status).toBe(412);
    expect((await stage.call('DELETE', path, { headers: { 'if-match': 'W/"9", "2"' } })).status).toBe(204);
  });

  it('are gone for good once deleted', async () => {
    const { id } = (await create()).body;
    expect((await stage.call('DELETE', `${endpoints}/${id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE', 'PATCH']) {
      const options = method === 'PATCH' ? { body: {} } : {};
      expect((await stage.call(method, `${endpoints}/${id}`, options)).status).toBe(404);
    }
    expect((await stage.call('GET', endpoints)).body.items).toEqual([]);
  });

  it('are limited in number, also for callers at the same moment', async () => {
    const answers = await Promise.all([create(), create(), create(), create(), create()]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 201, 201, 409, 409]);
    expect(answers.find((answer) => answer.status === 409)!.body.code).toBe('limit_reached');
  });

  it('have a URL of their own in their form, unless the caller wants it twice', async () => {
    const first = (await create({ url: 'https://hooks.example.com/a%2f?' })).body.id as string;
    for (const url of ['https://hooks.example.com/a%2f?', 'https://HOOKS.example.com.:443/a%2F']) {
      const refused = await create({ url, allow_duplicate_url: false });
      expect([refused.status, refused.body.code, refused.body.endpoint_id]).toEqual([409, 'url_in_use', first]);
      expect((await stage.call('POST', endpoints, { body: { url } })).status).toBe(409);
    }
    expect((await create({ url: 'https://hooks.example.com/a%2F' })).status).toBe(201);
    const other = (await create({ url: 'https://hooks.example.com/b' })).body.id as string;
    const body = { url: 'https://hooks.example.com/a%2F' };
    const moved = await stage.call('PATCH', `${endpoints}/${other}`, { body });
    expect([moved.status, moved.body.endpoint_id]).toEqual([409, first]);
    const again = await stage.call('PATCH', `${endpoints}/${first}`, {
      body: { url: 'https://hooks.example.com/a%2f?' },
    });
    expect([again.status, again.body.version], 'its own URL is in nobody’s way').toEqual([200, 1]);
    const wanted = { ...body, allow_duplicate_url: true };
    expect((await stage.call('PATCH', `${endpoints}/${other}`, { body: wanted })).status).toBe(200);
    const elsewhere = `/v1/forms/${await stage.form('ws_one')}/endpoints`;
    expect((await stage.call('POST', elsewhere, { body })).status, 'another form may have it').toBe(201);
  });

  it('with one URL are one, also for callers at the same moment, and it is free once that one is deleted', async () => {
    const alone = () => create({ allow_duplicate_url: false });
    const answers = await Promise.all([alone(), alone(), alone(), alone(), alone()]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409]);
    const { id } = answers.find(({ status }) => status === 201)!.body;
    for (const { status, body } of answers)
      if (status === 409) expect(body).toMatchObject({ code: 'url_in_use', endpoint_id: id });
    const other = (await create({ url: 'https://hooks.example.com/b' })).body.id as string;
    const url = 'https://hooks.example.com/c';
    const [patched, created] = await Promise.all([
      stage.call('PATCH', `${endpoints}/${other}`, { body: { url } }),
      create({ url, allow_duplicate_url: false }),
    ]);
    expect([patched.status, created.status].toSorted()).toEqual([patched.status === 200 ? 200 : 201, 409]);
    await stage.call('DELETE', `${endpoints}/${id}`);
    if (created.status === 201) await stage.call('DELETE', `${endpoints}/${created.body.id}`);
    expect((await alone()).status).toBe(201);
  });

  it('are tried again, and have redirects counted as received, as their owner wants', async () => {
    stage.answerUrlCheck = () => Promise.resolve({ ok: false, code: 'redirect', message: 'It redirects.' });
    expect((await create()).body.code).toBe('redirect');
    const wanted = { retry_statuses: [429, 404], redirect_is_success: true };
    const created = await create(wanted);
    expect(created.body).toMatchObject({ retry_statuses: [404, 429], redirect_is_success: true });
    const path = `${endpoints}/${created.body.id}`;
    const told = async () =>
      (await stage.broker.rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id: form }, 20_000)).endpoints[0];
    expect(await told()).toMatchObject({ retry_statuses: [404, 429], redirect_is_success: true });
    const moved = await stage.call('PATCH', path, { body: { url: 'https://hooks.example.com/moved' } });
    expect([moved.status, moved.body.version], 'it stays so for a new URL').toEqual([200, 2]);
    expect((await stage.call('PATCH', path, { body: { retry_statuses: [404, 429] } })).body.version).toBe(2);
    const back = await stage.call('PATCH', path, { body: { retry_statuses: null, redirect_is_success: false } });
    expect(back.body).toMatchObject({ retry_statuses: null, redirect_is_success: false, version: 3 });
    expect(await told()).toMatchObject({ retry_statuses: null, redirect_is_success: null });
    for (const retry_statuses of [[410], [500], [404, 404], ['404'], 404]) {
      const { status, body } = await create({ retry_statuses });
      expect([status, body.errors[0].field]).toEqual([422, 'retry_statuses']);
    }
    const audit = await stage.call('GET', `/v1/audit-log?workspace_id=ws_one&form_id=${form}&action=endpoint.updated`);
    expect(audit.body.items[0].changes).toContainEqual({ field: 'retry_statuses', old: [404, 429], new: null });
  });

  it('get no more attempts a second than their owner wants, a tenth to a thousand', async () => {
    const created = await create({ rate_limit: 0.5 });
    expect(created.body.rate_limit).toBe(0.5);
    const path = `${endpoints}/${created.body.id}`;
    const told = async () =>
      (await stage.broker.rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id: form }, 20_000)).endpoints[0];
    expect(await told()).toMatchObject({ rate_limit: 0.5 });
    expect((await stage.call('PATCH', path, { body: { rate_limit: 0.5 } })).body.version).toBe(1);
    expect((await stage.call('PATCH', path, { body: { rate_limit: 1_000 } })).body).toMatchObject({
      rate_limit: 1_000,
    });
    const back = await stage.call('PATCH', path, { body: { rate_limit: null } });
    expect(back.body).toMatchObject({ rate_limit: null, version: 3 });
    expect(await told()).toMatchObject({ rate_limit: null });
    for (const rate_limit of [0, 0.05, -1, 1_001, '5', true, 0.12345, [5]]) {
      const { status, body } = await create({ rate_limit });
      expect([status, body.errors[0].field], String(rate_limit)).toEqual([422, 'rate_limit']);
    }
    const audit = await stage.call('GET', `/v1/audit-log?workspace_id=ws_one&form_id=${form}&action=endpoint.updated`);
    expect(audit.body.items[0].changes).toContainEqual({ field: 'rate_limit', old: 1_000, new: null });
  });

  it('have a retry schedule of their own within what the installation allows, and are told what would be right', async () => {
    const created = await create({ retry_schedule: ['60s', '90s', '1h'] });
    expect(created.body.retry_schedule).toEqual(['1m', '90s', '1h']);
    const path = `${endpoints}/${created.body.id}`;
    const told = async () =>
      (await stage.broker.rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id: form }, 20_000)).endpoints[0];
    expect(await told()).toMatchObject({ retry_schedule: [60_000, 90_000, 3_600_000] });
    expect((await stage.call('PATCH', path, { body: { retry_schedule: ['1m', '90s', '60m'] } })).body.version).toBe(1);
    expect((await stage.call('PATCH', path, { body: { description: 'kept' } })).body.retry_schedule).toHaveLength(3);
    const refused = await stage.call('PATCH', path, { body: { retry_schedule: ['10s', '4h'] } });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [{ field: 'retry_schedule', code: 'too_large', message: 'A delay is from 1s to 3h; "4h" is longer.' }],
    ]);
    for (const retry_schedule of [[], ['10'], ['500ms'], Array.from({ length: 13 }, () => '1s'), '10s,1m', [10]]) {
      const { status, body } = await create({ retry_schedule });
      expect([status, body.errors[0].field], String(retry_schedule)).toEqual([422, 'retry_schedule']);
    }
    const back = await stage.call('PATCH', path, { body: { retry_schedule: null } });
    expect(back.body.retry_schedule).toBe(null);
    expect(await told()).toMatchObject({ retry_schedule: null });
    const audit = await stage.call('GET', `/v1/audit-log?workspace_id=ws_one&form_id=${form}&action=endpoint.updated`);
    expect(audit.body.items[0].changes).toContainEqual({
      field: 'retry_schedule',
      old: ['1m', '90s', '1h'],
      new: null,
    });
  });

  it('are listed in pages', async () => {
    const made = [(await create()).body.id, (await create()).body.id, (await create()).body.id];
    const first = await stage.call('GET', `${endpoints}?limit=2`);
    expect(first.body.items.map((item: { id: string }) => item.id)).toEqual(made.slice(0, 2));
    const second = await stage.call('GET', `${endpoints}?limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({ items: [{ id: made[2] }], next_cursor: null });
    expect((await stage.call('GET', `${endpoints}?cursor=nonsense`)).body.errors[0].field).toBe('cursor');
  });

  it('are announced before the answer, so that a change takes effect on the next delivery', async () => {
    stage.notices.length = 0;
    const { id } = (await create()).body;
    await vi.waitFor(() => expect(stage.notices).toContainEqual({ kind: 'form', form_id: form }), 20_000);
    stage.notices.length = 0;
    await stage.call('POST', `${endpoints}/${id}/secret/regenerate`, { body: {} });
    await vi.waitFor(() => expect(stage.notices).toContainEqual({ kind: 'form', form_id: form }), 20_000);
  });
});

describe('without a dispatcher', () => {
  it('no endpoint can be created, and the caller is told to try again', async () => {
    const stage = await ConfigStage.open({ URL_CHECK_TIMEOUT: '200ms' });
    try {
      await stage.silenceDispatchers();
      const form = await stage.form('ws_one');
      const body = { url: 'https://hooks.example.com' };
      const refused = await stage.call('POST', `/v1/forms/${form}/endpoints`, { body });
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('5');
    } finally {
      await stage.close();
    }
  });
});
