import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { encodeLogBatch } from '@form-webhooks/messages';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anAttempt, anEvent, aStep } from '../support/config/delivery-log.js';
import { LeakStage } from '../support/leak-stage.js';
import { reset, type Behaviour } from '../support/receiver.js';

const WAIT = { timeout: 60_000, interval: 50 };
const FORM = 'f_leaks';
const FORM_PATH = `/v1/forms/${FORM}`;

let stage: LeakStage;

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

/** One character is another, as in a slip of the pen. */
const changed = (key: string): string => key.slice(0, -8) + (key.at(-8) === 'x' ? 'y' : 'x') + key.slice(-7);

const event = (submissionId: string, mark = stage.canaries.make('personal', `field of ${submissionId}`)): string =>
  JSON.stringify({
    event: 'payment.succeeded',
    form_id: FORM,
    submission_id: submissionId,
    fields: { name: mark, [mark]: mark },
    payment: { status: 'succeeded', amount: 1, currency: 'eur', card: mark },
    meta: { ip: mark, user_agent: mark },
  });

/** Keys are made, used, mistyped, put where they don't belong, and revoked; tokens are good and bad. */
async function credentials(): Promise<void> {
  const { canaries, stack } = stage;
  const made: { id: string; key: string }[] = [];
  for (const kind of ['service', 'workspace', 'revoked'] as const) {
    const scopes = kind === 'service' ? ['events:write', 'forms:write'] : ['endpoints:read', 'payload:read'];
    const whose = kind === 'service' ? { kind } : { workspace_id: stack.workspaceId };
    const { body } = await stage.api('POST', '/v1/api-keys', { name: kind, scopes, ...whose });
    canaries.add('credential', `${kind} key`, body.key.slice('fwk_'.length + 17));
    made.push(body);
  }
  await stage.api('DELETE', `/v1/api-keys/${made[2]!.id}?workspace_id=${stack.workspaceId}`);
  const tokens = [
    await stage.token({ role: 'owner' }),
    await stage.token({ role: 'nobody' }),
    await stage.token({ role: 'owner', exp: 1 }),
    await stage.token({ role: 'owner', aud: 'another' }),
    await stage.token({ role: 'owner' }, 'another secret of more than 32 bytes'),
  ];
  for (const token of tokens) canaries.add('credential', 'token', token.slice(token.lastIndexOf('.') + 1));
  const given = [...tokens, ...made.flatMap(({ key }) => [key, changed(key)]), stage.stranger('unknown password')];
  for (const credential of given) {
    await stage.api('GET', `${FORM_PATH}/endpoints`, undefined, bearer(credential));
    await stage.api('GET', `${FORM_PATH}/endpoints?api_key=${credential}`, undefined, { authorization: credential });
    await stage.post(event('s_key'), bearer(credential));
    const path = `/v1/events?api_key=${encodeURIComponent(credential)}`;
    await fetch(`${stack.ingestUrl}${path}`, { method: 'POST', headers: { authorization: `Basic ${credential}` } });
  }
}

/** Endpoints with secrets in their URLs, signing secrets made, prepared and replaced, and URLs that are refused. */
async function endpoints(): Promise<void> {
  const { canaries, receiver, stack } = stage;
  const answered = canaries.make('personal', 'a receiver’s answer');
  const says =
    (status: number): Behaviour =>
    (response) =>
      void response.writeHead(status, { 'x-note': answered, 'set-cookie': answered, location: answered }).end(answered);
  const behaviours = { fine: says(200), fails: says(500), refuses: says(400), redirects: says(302), resets: reset };
  const path = (name: string) => `/${name}/${canaries.make('capability', `path of ${name}`)}?token=1`;
  for (const [name, behaviour] of Object.entries(behaviours)) {
    const created = await stack.createEndpoint(FORM, receiver.url(path(name), behaviour));
    canaries.add('credential', `secret of ${name}`, created.secret.slice('whsec_'.length, -2));
    const secrets = `${FORM_PATH}/endpoints/${created.id}/secret`;
    for (const [step, body] of [['prepare'], ['regenerate', { overlap_seconds: 600 }], ['regenerate', {}]] as const) {
      const { secret } = (await stage.api('POST', `${secrets}/${step}`, body)).body;
      if (secret) canaries.add('credential', `${step}d secret of ${name}`, secret.slice('whsec_'.length, -2));
    }
    await stage.api('POST', `${FORM_PATH}/endpoints/${created.id}/test`);
  }
  const closed = await closedPort();
  const refused = ['http://127.0.0.1', 'https://10.0.0.1', `https://127.0.0.1:${closed}`, 'https://no-such.invalid'];
  for (const origin of refused) await stage.api('POST', `${FORM_PATH}/endpoints`, { url: origin + path('refused') });
  const password = canaries.make('capability', 'password in a URL');
  for (const url of [`https://me:${password}@127.0.0.1/`, `nonsense:${password}`]) {
    await stage.api('POST', `${FORM_PATH}/endpoints`, { url });
  }
  await stage.api('POST', `${FORM_PATH}/endpoints`, { url: 'https://127.0.0.1/', secret: password });
  await stage.api('PUT', FORM_PATH, { workspace_id: 7, name: { [password]: password } });
}

/** Events that are good, and bad in every way that is noticed at another place. */
async function events(): Promise<void> {
  const { canaries } = stage;
  expect((await stage.post(event('s_good'))).status).toBe(202);
  expect((await stage.post(event('s_erased'))).status).toBe(202);
  const bad = event('s_bad');
  await stage.post(bad.slice(0, -9));
  await stage.post(bad.replace('"fields"', '"meta":7,"fields"'));
  await stage.post(bad.replace('"amount":1', `"amount":"${canaries.make('personal', 'a wrong amount')}"`));
  await stage.post(bad.replace('payment.succeeded', canaries.make('personal', 'an unknown event')));
  await stage.post(bad.replace('{"name"', `${'{"a":'.repeat(200)}{"name"`));
  await stage.post(Buffer.concat([Buffer.from(bad.slice(0, 150)), Buffer.from([0xff]), Buffer.from(bad.slice(150))]));
  await stage.post(bad, { 'idempotency-key': `${canaries.make('personal', 'a bad key')} !` });
  await stage.api('POST', `${FORM_PATH}/replays`, { filter: { state: canaries.make('personal', 'a wrong filter') } });
  const channel = await stage.amqp.createConfirmChannel();
  const send = (exchange: string, key: string, body: string | Buffer, options = {}) =>
    channel.publish(exchange, key, Buffer.from(body as string), { persistent: true, ...options });
  const asForm = { contentType: 'application/json', messageId: 'key-1' };
  send('form.events', 'submission.created', event('s_amqp').replace('payment.succeeded', 'submission.created'), asForm);
  send('form.events', 'submission.created', bad.slice(0, -9), asForm);
  send('form.events', 'submission.created', bad, { ...asForm, contentEncoding: 'gzip' });
  send('form.events', 'submission.created', bad, { ...asForm, messageId: undefined, headers: { note: 'x' } });
  for (const queue of ['dispatcher.events', 'dispatcher.deliveries', 'config.delivery-log']) send('', queue, bad);
  const mark = canaries.make('personal', 'what can not be logged');
  const response = { status: 200, headers: { note: mark }, excerpt: mark, truncated: false };
  const kept = anEvent({ formId: FORM as never, submissionId: 's_refused' as never, tail: Buffer.from(mark) });
  const tooOld = anEvent({ acceptedAt: Date.now() - 90 * 86_400_000, tail: Buffer.from(mark) });
  await stage.client.query("ALTER TABLE events ADD CONSTRAINT refused CHECK (submission_id <> 's_refused') NOT VALID");
  send('', 'config.delivery-log', encodeLogBatch([kept, aStep(kept, { attempt: anAttempt({ response }) })]));
  send('', 'config.delivery-log', encodeLogBatch([tooOld]));
  await channel.waitForConfirms();
  await vi.waitFor(async () => {
    expect((await channel.checkQueue('config.delivery-log.parked')).messageCount).toBe(3);
    expect((await channel.checkQueue('ingest.form-events.rejected')).messageCount).toBe(3);
  }, WAIT);
  await channel.close();
}

/** What an owner does with the log. */
async function readers(): Promise<void> {
  const [delivered] = await stage.deliveries(FORM, 'state=delivered', 3);
  await stage.deliveries(FORM, 'state=failed', 6);
  const detail = await stage.api('GET', `${FORM_PATH}/deliveries/${delivered!.delivery_id}`);
  expect(stage.canaries.foundIn(JSON.stringify(detail.body), 'personal')).not.toEqual([]);
  await stage.api('POST', `${FORM_PATH}/deliveries/${delivered!.delivery_id}/replay`);
  await stage.api('POST', `${FORM_PATH}/replays`, { filter: { state: 'failed', submission_id: 's_good' } });
  expect((await stage.api('DELETE', `${FORM_PATH}/submissions/s_erased/data`)).status).toBe(204);
}

/** The database goes away, then the broker, while people go on working. */
async function outages(): Promise<void> {
  const work = async (submissionId: string): Promise<void> => {
    await stage.post(event(submissionId));
    await stage.api('POST', `${FORM_PATH}/endpoints`, { url: `https://127.0.0.1/${stage.stranger('a path')}` });
    await stage.api('GET', `${FORM_PATH}/deliveries`, undefined, bearer(stage.stranger('a password')));
  };
  await stage.without(stage.database, () => work('s_no_database'));
  await stage.without(stage.broker, () => work('s_no_broker'));
  await stage.post(event('s_after'));
  await stage.deliveries(FORM, 'state=delivered&submission_id=s_after', 1);
}

/** Services and commands that are told something wrong, each with something secret in it. */
async function wrongSettings(): Promise<void> {
  const config = 'config/dist/main.js';
  const url = (base: string, password: string): string => {
    const changedUrl = new URL(base);
    changedUrl.password = password;
    return changedUrl.href;
  };
  const { RABBITMQ_URL: broker, DATABASE_URL: database } = stage.stack.service('config').env;
  const wrong: Record<string, string>[] = [
    { SECRET_KEYS: `k1:${stage.stranger('a short sealing key')}`, ADMIN_API_KEY: stage.stranger('k').slice(0, 20) },
    { JWT_SHARED_SECRET: stage.stranger('a short JWT secret').slice(0, 20), DATABASE_URL: stage.stranger('no URL') },
    { RABBITMQ_URL: `amqp://me:${stage.stranger('broken broker password')}@:nowhere` },
    { DATABASE_URL: url(database!, stage.stranger('wrong database password')) },
  ];
  const codes = await Promise.all(wrong.map((env) => stage.run(config, env)));
  expect(codes.every((code) => code > 0)).toBe(true);
  const unwelcome = { RABBITMQ_URL: url(broker!, stage.stranger('wrong broker password')) };
  await stage.runUntil('ingest/dist/main.js', { ...unwelcome, HTTP_PORT: '0' }, /refused|ACCESS|closed/i);
  expect(await ops('audit', 'verify')).toBe(0);
  expect(await ops('keys', 'rotate')).toBe(0);
  await ops('doctor');
  const queues = ['config.delivery-log.parked', 'dispatcher.deliveries.parked', 'ingest.form-events.rejected'];
  const lists = await Promise.all(queues.map((queue) => ops('parked', 'list', queue)));
  expect(lists).toEqual([0, 0, 0]);
}

const ops = (...args: string[]): Promise<number> => stage.run('config/dist/ops/ops.js', {}, ...args);

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** What proves to receivers that requests are ours. */
function noteSignatures(): void {
  const path = [...stage.receiver.paths()].find((one) => one.startsWith('/fine'))!;
  for (const { headers } of stage.receiver.received(path)) {
    stage.canaries.add('signature', 'x-service-signature', String(headers['x-service-signature']));
    stage.canaries.add('signature', 'webhook-signature', String(headers['webhook-signature']).slice('v1,'.length));
  }
}

describe('after deliveries, failures, bad input and outages, with all that is logged,', () => {
  let metrics: string;
  let audited: string;
  let stored: string;

  beforeAll(async () => {
    stage = await LeakStage.open();
    await stage.stack.registerForm(FORM);
    for (const step of [credentials, endpoints, events, readers, outages, wrongSettings]) await step();
    noteSignatures();
    metrics = await stage.metrics();
    audited = await stage.rows(/^audit_entries$/);
    stored = await stage.rows(/./);
    await Promise.all(stage.stack.processes.map((process) => process.stop()));
  }, 240_000);
  afterAll(() => stage?.close());

  const found = (...given: Parameters<LeakStage['canaries']['foundIn']>) => stage.canaries.foundIn(...given);
  const wire = (proxy: LeakStage['broker']) =>
    Buffer.concat(proxy.recorded().flatMap((one) => [one, Buffer.from('\n')]));

  it.each(['config', 'dispatcher', 'ingest'] as const)('the output of %s gives away nothing', (name) => {
    const { output } = stage.stack.service(name);
    expect(output.split('\n').length, 'the service talks at all').toBeGreaterThan(20);
    expect(found(output, 'credential', 'personal', 'capability', 'signature')).toEqual([]);
  });

  it('nor does what commands print, and services that can not start', () => {
    expect(stage.printed.join('\n')).toMatch(/can not start[\s\S]*the audit log is intact/);
    expect(found(stage.printed.join('\n'), 'credential', 'personal', 'capability', 'signature')).toEqual([]);
  });

  it('nor do metrics', () => {
    expect(metrics).toContain('webhook_attempts_total');
    expect(found(metrics, 'credential', 'personal', 'capability', 'signature')).toEqual([]);
  });

  it('the audit log holds neither a secret nor what people filled in', () => {
    expect(audited).toContain('secret.regenerated');
    expect(found(audited, 'credential', 'personal', 'signature')).toEqual([]);
  });

  it('no table holds a secret in the clear, nor anything of who was erased', () => {
    expect(found(stored, 'credential')).toEqual([]);
    const personal = found(Buffer.from(stored.replaceAll(/\\\\x([0-9a-f]+)/g, (_, hex: string) => hex)), 'personal');
    expect(personal).toContain('personal: field of s_good');
    expect(personal).not.toContain('personal: field of s_erased');
  });

  it('no answer that refuses something repeats a credential, or what people filled in', () => {
    expect(stage.problems.length).toBeGreaterThan(30);
    expect(found(stage.problems.join('\n'), 'credential', 'personal', 'capability', 'signature')).toEqual([]);
  });

  it.each([
    // A plain log-in shows its password; production has TLS there.
    ['the broker', () => stage.broker, ['credential: broker password', 'credential: wrong broker password']],
    ['the database', () => stage.database, []],
  ] as const)('no secret crosses the way to %s in the clear', (_, proxy, handshake) => {
    const passed = wire(proxy());
    expect(found(passed, 'personal'), 'payloads do, so the record is one').toContain('personal: field of s_good');
    const leaked = found(passed, 'credential');
    expect(leaked.filter((name) => !(handshake as readonly string[]).includes(name))).toEqual([]);
  });
});
