import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXCHANGES, OWN_EXCHANGES, QUEUES } from '@form-webhooks/broker';
import { ensureAuthority, issueCertificate, loadAuthority, temporaryFolder } from '@form-webhooks/local';
import { dayOf, LogPartitions } from '@form-webhooks/storage';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { runOps } from '../../apps/config/src/ops/run-ops.js';
import type { Finding } from '../../apps/config/src/ops/doctor/finding.js';
import { brokerUrl } from '../support/broker-url.js';
import { Probe } from '../support/broker.js';
import { migratedDatabase, openDatabase } from '../support/config/config-database.js';
import { runStatement } from '../support/config/template-database.js';
import { Receiver } from '../support/receiver.js';
import { Stack } from '../support/stack.js';

/* The operator's command line on a whole installation: what it finds, names and does. */

const WAIT = { timeout: 60_000, interval: 100 };
vi.setConfig({ testTimeout: 120_000 });

const folder = temporaryFolder('form-webhooks-ops-');
let stack: Stack;
let receiver: Receiver;
let endpoint: string;

beforeAll(async () => {
  receiver = await Receiver.start();
  stack = await Stack.start();
  await stack.registerForm('f_ops');
  ({ id: endpoint } = await stack.createEndpoint('f_ops', receiver.url('/ops')));
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
  folder.remove();
});

/** As config has it, and where everything is. */
function environment(): Record<string, string> {
  const { RABBITMQ_URL, DATABASE_URL, SECRET_KEYS, ADMIN_API_KEY } = stack.service('config').env as Record<
    string,
    string
  >;
  const health = stack.processes.map(({ name, healthPort }) => `${name}=http://127.0.0.1:${healthPort}`);
  return {
    ...{ CONFIG_URL: stack.configUrl, HEALTH_URLS: health.join(','), ADMIN_API_KEY: ADMIN_API_KEY! },
    ...{ RABBITMQ_URL: RABBITMQ_URL!, DATABASE_URL: DATABASE_URL!, SECRET_KEYS: SECRET_KEYS! },
  };
}

interface Told {
  readonly code: number;
  /** What it printed, each line a document. */
  readonly documents: readonly Record<string, never>[];
  readonly err: string;
}

async function ops(args: readonly string[], changed: Record<string, string> = {}): Promise<Told> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runOps([...args, '--json'], {
    environment: { ...environment(), ...changed },
    folder: '/',
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    signal: new AbortController().signal,
  });
  return { code, documents: out.map((text) => JSON.parse(text)), err: err.join('') };
}

/** What it finds wrong, as `check: what`. Each says what to do, and where more is written of it. */
async function wrong(changed: Record<string, string> = {}): Promise<string[]> {
  const { documents } = await ops(['doctor'], changed);
  const findings = (documents[0] as unknown as { findings: Finding[] }).findings;
  for (const finding of findings.filter(({ verdict }) => verdict === 'wrong')) {
    expect(finding).toMatchObject({
      repair: expect.stringMatching(/\w/),
      see: expect.stringMatching(/^docs\/[\w-]+\.md/),
    });
  }
  return findings.filter(({ verdict }) => verdict !== 'fine').map(({ check, what }) => `${check}: ${what}`);
}

function changedUrl(variable: string, change: (url: URL) => void): Record<string, string> {
  const url = new URL(environment()[variable]!);
  change(url);
  return { [variable]: url.href };
}

/** A database as a standby shows it: one that only reads. */
async function asReader(look: (changed: Record<string, string>) => Promise<string[]>): Promise<string[]> {
  const copy = await migratedDatabase();
  try {
    const name = new URL(copy.url).pathname.slice(1);
    await runStatement(inject('databaseUrl'), `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    return await look({ DATABASE_URL: copy.url });
  } finally {
    await copy.drop();
  }
}

async function post(submission: string): Promise<string> {
  const event = { event: 'draft.resumed', form_id: 'f_ops', submission_id: submission, fields: {} };
  const { status, body } = await stack.post(JSON.stringify(event));
  expect(status).toBe(202);
  return body.event_id;
}

describe('doctor', () => {
  it('finds a whole installation well, and ends with 0', async () => {
    const documents = await vi.waitFor(async () => {
      expect(await wrong()).toEqual([]);
      const told = await ops(['doctor']);
      expect(told.code).toBe(0);
      return told.documents;
    }, WAIT);
    const { findings } = documents[0] as unknown as { findings: Finding[] };
    const told = findings.map(({ check, what }) => `${check}: ${what}`);
    for (const version of [/^broker: RabbitMQ \d/, /^database: PostgreSQL \d/, /^versions: all .* runs \d/]) {
      expect(told).toContainEqual(expect.stringMatching(version));
    }
  });

  it('names each setting that does not fit the installation', async () => {
    const [refused, elsewhere, otherRing, otherKey] = await Promise.all([
      wrong({
        ...changedUrl('DATABASE_URL', (url) => (url.password = 'wrong')),
        ...changedUrl('RABBITMQ_URL', (url) => (url.password = 'wrong')),
        ADMIN_API_KEY: 'not-the-admin-key-0123456789-abcdef',
        HEALTH_URLS: 'config=http://127.0.0.1:9',
      }),
      wrong({
        ...changedUrl('DATABASE_URL', (url) => (url.pathname = '/nothing')),
        ...changedUrl('RABBITMQ_URL', (url) => (url.pathname = '/nothing')),
        CONFIG_URL: 'http://127.0.0.1:9',
      }),
      wrong({ SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}` }),
      wrong({ SECRET_KEYS: `k9:${randomBytes(32).toString('base64')}` }),
    ]);
    const names = (...parts: string[]) => parts.map((part) => expect.stringContaining(part));
    expect(refused).toEqual(
      expect.arrayContaining(
        names(
          'database: PostgreSQL refuses the name or the password',
          'broker: the broker refuses the name or the password',
          'api: config answers 401',
          'config: config does not answer at http://127.0.0.1:9',
        ),
      ),
    );
    expect(elsewhere).toEqual(
      expect.arrayContaining(
        names(
          'database: the database in DATABASE_URL is not there',
          'broker: the virtual host in RABBITMQ_URL is not there',
          'api: config does not answer at http://127.0.0.1:9',
        ),
      ),
    );
    expect(otherRing).toEqual(expect.arrayContaining(names('key ring: SECRET_KEYS has other bytes under k1')));
    expect(otherKey).toEqual(
      expect.arrayContaining(names('key ring: SECRET_KEYS lacks keys that seal stored secrets: "k1"')),
    );
  });

  it('names servers that are not there or speak no TLS, a ring that is none, and a certificate near its end', async () => {
    const authority = await ensureAuthority(folder.path);
    const near = join(folder.path, 'near-its-end.pem');
    const notAfter = new Date(Date.now() + 3 * 86_400_000);
    writeFileSync(near, (await issueCertificate(authority, { notAfter })).cert);
    const [away, withoutTls, others, standby] = await Promise.all([
      wrong({
        ...changedUrl('DATABASE_URL', (url) => (url.port = '9')),
        ...changedUrl('RABBITMQ_URL', (url) => (url.port = '9')),
      }),
      wrong({
        ...changedUrl('DATABASE_URL', (url) => url.searchParams.set('sslmode', 'verify-full')),
        ...changedUrl('RABBITMQ_URL', (url) => (url.protocol = 'amqps:')),
      }),
      wrong({ SECRET_KEYS: 'k1:short', EGRESS_CA_FILE: near }),
      asReader(wrong),
    ]);
    const names = (...parts: string[]) => expect.arrayContaining(parts.map((part) => expect.stringContaining(part)));
    expect(away).toEqual(names('database: PostgreSQL does not answer', 'broker: the broker does not answer'));
    expect(withoutTls).toEqual(
      names('database: the TLS connection to PostgreSQL fails', 'broker: the TLS connection to the broker fails'),
    );
    expect(standby).toEqual(names('database writes: PostgreSQL only reads'));
    expect(others).toEqual(names('key ring: ', `certificates: that of ${near} ends at`));
  });

  it('names everything that is broken at a time, and nothing once it is repaired', async () => {
    const probe = await Probe.open(brokerUrl());
    const database = await openDatabase(environment()['DATABASE_URL']!);
    try {
      await stack.service('dispatcher').stop();
      await probe.channel.deleteQueue(QUEUES.dispatcherRpc);
      await probe.channel.deleteExchange(EXCHANGES.eventLanes);
      probe.channel.sendToQueue('dispatcher.events.parked', Buffer.from('x'), {
        headers: { parked_reason: 'for a test' },
      });
      const [last] = await database.query('SELECT * FROM migrations ORDER BY id DESC LIMIT 1');
      await database.query('DELETE FROM migrations WHERE id = $1', [last.id]);
      const broken = [
        `exchanges: missing: ${EXCHANGES.eventLanes}`,
        'queues: missing: dispatcher.rpc',
        'consumers: nobody takes from dispatcher.events, dispatcher.deliveries',
        'parked: 1 message is put aside in dispatcher.events.parked',
        `migrations: the schema lacks 1 migration, the first of them ${last.name}`,
        'config calls: a queue or its binding is missing',
        'dispatcher calls: a queue or its binding is missing',
        'dispatcher: dispatcher does not answer',
      ].map((part) => expect.stringContaining(part) as unknown);
      await vi.waitFor(async () => {
        // Config binds it again at its next look.
        await probe.channel.unbindQueue(QUEUES.configRpc, OWN_EXCHANGES.configCalls, '#');
        expect(await wrong()).toEqual(expect.arrayContaining(broken));
      }, WAIT);

      await database.query('INSERT INTO migrations (id, timestamp, name) VALUES ($1, $2, $3)', [
        ...[last.id, last.timestamp, last.name],
      ]);
      // Of a schema that isn't current nothing more is looked at.
      const tomorrow = dayOf(Date.now() + 86_400_000);
      await database.query(`DROP TABLE attempts_${tomorrow.replaceAll('-', '')}`);
      const days = `log days: the log has no tables for ${tomorrow}`;
      expect(await wrong()).toContainEqual(expect.stringContaining(days));
      await new LogPartitions(database).make([tomorrow]);
      expect((await ops(['parked', 'drop', 'dispatcher.events.parked'])).code).toBe(0);
      await probe.channel.bindQueue(QUEUES.configRpc, OWN_EXCHANGES.configCalls, '#');
      await stack.service('dispatcher').start();
      await vi.waitFor(async () => expect(await wrong()).toEqual([]), WAIT);
    } finally {
      await database.destroy();
    }
  });
});

describe('the other commands', () => {
  it('find an event and what was refused, and end with 1 for what is not known', async () => {
    const eventId = await post('s_find');
    await vi.waitFor(async () => {
      const { code, documents } = await ops(['find', eventId]);
      expect(code).toBe(0);
      expect(documents).toMatchObject([{ events: [{ event_id: eventId, deliveries: [{ state: 'delivered' }] }] }]);
    }, WAIT);
    const probe = await Probe.open(brokerUrl());
    const sent = { messageId: 'order-17', timestamp: 1_790_000_000, appId: 'shop' };
    probe.channel.publish(EXCHANGES.formEvents, 'draft.resumed', Buffer.from('{'), sent);
    await vi.waitFor(async () => expect((await ops(['find', 'order-17'])).code).toBe(0), WAIT);
    const { documents } = await ops(['parked', 'list', QUEUES.formEventsRejected]);
    expect(documents[0]!['messages']).toMatchObject([
      {
        ...{ message_id: 'order-17', sent_at: '2026-09-21T14:13:20.000Z', sent_by: 'shop' },
        reason: expect.stringContaining('bad_json'),
      },
    ]);
    expect((await ops(['parked', 'drop', QUEUES.formEventsRejected, '--id', 'order-17'])).code).toBe(0);
    const unknown = await ops(['find', 'order-17']);
    expect(unknown.code).toBe(1);
    expect(unknown.documents).toMatchObject([{ events: [], summary: expect.stringContaining('Not known here.') }]);
  });

  it('show the log live, until they are told to stop', async () => {
    const stopping = new AbortController();
    const lines: string[] = [];
    const tail = runOps(['tail', 'f_ops'], {
      ...{ environment: environment(), folder: '/', signal: stopping.signal },
      ...{ out: (text: string) => void lines.push(text), err: (text: string) => void lines.push(text) },
    });
    const eventId = await post('s_tail');
    const { body } = await vi.waitFor(async () => {
      const found = await stack.api('GET', `/v1/event-search?id=${eventId}`);
      expect(found.body.events[0]?.deliveries[0]?.state).toBe('delivered');
      return found;
    }, WAIT);
    const { delivery_id } = body.events[0].deliveries[0];
    await vi.waitFor(() => expect(lines.join('')).toMatch(new RegExp(`${delivery_id}.* delivered`)), WAIT);
    stopping.abort();
    expect(await tail).toBe(0);
  });

  it('switch an endpoint off and on, and send again what matches', async () => {
    expect((await ops(['pause', 'f_ops', endpoint])).documents).toMatchObject([{ enabled: false }]);
    expect((await ops(['resume', 'f_ops', endpoint])).documents).toMatchObject([{ enabled: true }]);
    const counted = await ops(['replay', 'f_ops', '--state', 'delivered', '--endpoint', endpoint]);
    const { matched } = counted.documents[0] as unknown as { matched: number };
    expect(matched).toBeGreaterThan(0);
    const { code, documents } = await ops(['replay', 'f_ops', '--state', 'delivered', '--yes']);
    expect(code).toBe(0);
    expect(documents).toMatchObject([{ state: 'done', matched, replayed: matched }]);
  });

  it('hold deliveries back, which wait without a try, and let them go on', async () => {
    expect((await ops(['pause', '--form', 'f_unknown'])).code).toBe(1);
    expect(await ops(['pause', '--form', 'f_ops', '--endpoint', endpoint])).toMatchObject({ code: 0 });
    expect(await ops(['pause', '--all'])).toMatchObject({ code: 0, documents: [{ form_id: null, changed: true }] });
    expect(await ops(['pause', '--all'])).toMatchObject({ code: 0, documents: [{ changed: false }] });
    // Until the dispatcher has been told, events go out.
    const held = await vi.waitFor(async () => {
      const eventId = await post(`s_${randomBytes(4).toString('hex')}`);
      const found = await vi.waitFor(async () => {
        const { body } = await stack.api('GET', `/v1/event-search?id=${eventId}`);
        const [delivery] = body.events[0]?.deliveries ?? [];
        expect(delivery?.state === 'delivered' || typeof delivery?.waits_for === 'string').toBe(true);
        return { eventId, delivery };
      }, WAIT);
      expect(found.delivery).toMatchObject({ state: 'pending', waits_for: 'paused', attempt_count: 0 });
      expect(Date.parse(found.delivery.next_attempt_at)).toBeGreaterThan(Date.now() - 60_000);
      return found.eventId;
    }, WAIT);
    const paused = expect.stringMatching(
      /^pauses: deliveries of f_ops to .* are held back since .*, all deliveries since /,
    ) as unknown;
    await vi.waitFor(async () => expect(await wrong()).toEqual([paused]), WAIT);

    const stands = [{ form_id: 'f_ops', endpoint_id: endpoint }];
    expect(await ops(['resume', '--all'])).toMatchObject({ code: 0, documents: [{ other_pauses: stands }] });
    expect(await ops(['resume', '--all'])).toMatchObject({ code: 0, documents: [{ changed: false }] });
    expect((await ops(['resume', '--form', 'f_unknown'])).code).toBe(1);
    expect(await ops(['resume', '--form', 'f_ops', '--endpoint', endpoint])).toMatchObject({ code: 0 });
    await vi.waitFor(async () => {
      const { body } = await stack.api('GET', `/v1/event-search?id=${held}`);
      expect(body.events[0].deliveries).toMatchObject([{ state: 'delivered', attempt_count: 1, waits_for: null }]);
    }, WAIT);
    await vi.waitFor(async () => expect(await wrong()).toEqual([]), WAIT);
    const { body } = await stack.api('GET', '/v1/audit-log?workspace_id=ws_test&form_id=f_ops&actor=operator');
    expect(body.items.map(({ action }: { action: string }) => action)).toEqual([
      'deliveries.resumed',
      'deliveries.paused',
    ]);
  });

  it('look at a database as a backup, and at one that was restored', async () => {
    const url = environment()['DATABASE_URL']!;
    expect(await ops(['backup', 'check', '--database', url])).toMatchObject({ code: 0, documents: [{ fine: true }] });
    const strange = await ops(['backup', 'check', '--database', url], {
      SECRET_KEYS: `k9:${Buffer.alloc(32).toString('base64')}`,
    });
    expect(strange.code).toBe(1);
    expect((await ops(['backup', 'check'])).code).toBe(2);
    const restored = await ops(['restore', 'check']);
    expect(restored.code).toBe(1);
    const { findings } = restored.documents[0] as unknown as { findings: Finding[] };
    expect(findings.filter(({ verdict }) => verdict !== 'fine').map(({ check }) => check)).toEqual([
      'RESTORED_AT',
      'config',
    ]);
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['clock', 'key ring', 'audit log', 'gap', 'waiting']),
    );
  });

  it('measure the installation with a receiver of their own, and leave no form of theirs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-bench-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const issued = await issueCertificate(await loadAuthority(inject('caFile'), inject('caKeyFile')));
    for (const part of ['cert', 'key'] as const) writeFileSync(join(folder, part), issued[part]);
    const files = { BENCH_CERTIFICATE: join(folder, 'cert'), BENCH_CERTIFICATE_KEY: join(folder, 'key') };
    const env = { INGEST_URL: stack.ingestUrl, ...files };
    const measured = await ops(['bench', '--events', '20', '--rate', '50', '--forms', '2'], env);
    expect(measured).toMatchObject({ code: 0, documents: [{ sent: 20, accepted: 20, delivered: 20, refused: {} }] });
    const unreachable = await ops(['bench', '--url', 'https://10.0.0.1:8443'], env);
    expect(unreachable.code).toBe(3);
    expect(unreachable.err).toContain("dispatchers can't deliver to https://10.0.0.1:8443/");
    expect(unreachable.err).toContain('EGRESS_ALLOW');
    expect((await ops(['bench'], files)).err).toContain('INGEST_URL');
    const { body } = await stack.api('GET', '/v1/forms?workspace_id=ws_bench');
    expect(body.items).toEqual([]);
  });

  it('migrate, rotate keys and verify the audit log', async () => {
    expect(await ops(['migrate'])).toMatchObject({ code: 0, documents: [{ ran: [] }] });
    expect(await ops(['migrate', '--check'])).toMatchObject({ code: 0, documents: [{ missing: [] }] });
    const ring = `k2:${randomBytes(32).toString('base64')},${environment()['SECRET_KEYS']}`;
    expect(await ops(['keys', 'rotate'], { SECRET_KEYS: ring })).toMatchObject({
      code: 0,
      documents: [{ sealed: 1, still_in_use: [] }],
    });
    expect(await ops(['audit', 'verify'])).toMatchObject({ code: 0, documents: [{ broken: 0 }] });
  });
});
