import {
  LogPartitions,
  pendingMigrations,
  retainedDays,
  schemaLack,
  upcomingDays,
  type DataSource,
} from '@form-webhooks/storage';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { runOps } from '../../apps/config/src/ops/run-ops.js';
import { emptyDatabase, openDatabase } from '../support/config/config-database.js';
import { ADMIN_KEY, startableService, startedAt, type StartableConfig } from '../support/config/config-stage.js';
import { anEvent, aStep, logWriter } from '../support/config/delivery-log.js';

/* Config as a role that owns nothing, beside a migration job that runs as the owner of the tables. */

const BY_JOB = { MIGRATION: 'by_job', MIGRATION_WAIT: '1s' };
const DAY_MS = 86_400_000;
const runtimeUrl = inject('runtimeDatabaseUrl');

describe.skipIf(runtimeUrl === null)('config as a role that may not change the schema', () => {
  let ownerUrl: string;
  let url: string;
  let drop: () => Promise<void>;
  let owner: DataSource;
  let runtime: DataSource;
  const services: StartableConfig[] = [];
  beforeAll(async () => {
    ({ url: ownerUrl, drop } = await emptyDatabase());
    url = Object.assign(new URL(runtimeUrl!), { pathname: new URL(ownerUrl).pathname }).href;
    owner = await openDatabase(ownerUrl);
    runtime = await openDatabase(url);
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
    await Promise.all([owner, runtime].map((source) => source?.destroy()));
    await drop?.();
  });

  const service = (env: Readonly<Record<string, string>>): StartableConfig => {
    const made = startableService(url, env);
    services.push(made);
    return made;
  };
  const opsMigrate = async (environment: Readonly<Record<string, string>>): Promise<{ code: number; said: string }> => {
    const said: string[] = [];
    const code = await runOps(['migrate'], {
      ...{ environment, folder: '/', signal: new AbortController().signal },
      ...{ out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) },
    });
    return { code, said: said.join('') };
  };
  const migrationJob = (role = new URL(url).username) =>
    opsMigrate({ MIGRATION_DATABASE_URL: ownerUrl, DATABASE_RUNTIME_ROLE: role });

  it('says what to do if the schema was not migrated, and does not start', async () => {
    await expect(service(BY_JOB).start()).rejects.toThrow(/lacks \d+ migrations.*by_job.*npm run ops -- migrate/s);
    await expect(service({}).start()).rejects.toThrow(/may not change the schema.*Set MIGRATION=by_job/s);
  });

  it('refuses to give rights to a role that is not there, in words and before it changes anything', async () => {
    expect(await migrationJob('nobody_here')).toMatchObject({
      code: 3,
      said: expect.stringContaining('no role nobody_here'),
    });
    expect((await pendingMigrations(owner)).missing.length, 'nothing was migrated').toBeGreaterThan(0);
  });

  it('says which role may not migrate, and where to name the one that may', async () => {
    const said = await opsMigrate({ DATABASE_URL: url });
    expect(said).toMatchObject({ code: 3, said: expect.stringContaining(`the role ${new URL(url).username} in`) });
    expect(said.said).toContain('MIGRATION_DATABASE_URL');
  });

  it('does not start on a schema that stands, but not for this role', async () => {
    expect(await opsMigrate({ MIGRATION_DATABASE_URL: ownerUrl })).toMatchObject({ code: 0 });
    expect((await schemaLack(runtime)).rights.length).toBeGreaterThan(0);
    await expect(service({ ...BY_JOB, MIGRATION_WAIT: '0s' }).start()).rejects.toThrow(
      'lacks rights that the job gives',
    );
  });

  it('waits for the job, then takes what config takes and writes the log', async () => {
    const began = Date.now();
    const starting = startedAt(service({ ...BY_JOB, MIGRATION_WAIT: '5m' }));
    expect(await migrationJob()).toMatchObject({ code: 0, said: expect.stringMatching(/got \d+ rights/) });
    const api = await starting;
    const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };
    const form = JSON.stringify({ workspace_id: 'ws_a', name: 'A form' });
    const made = await fetch(`${api}/v1/forms/f_a`, { method: 'PUT', headers, body: form });
    expect(made.status).toBe(201);
    await vi.waitFor(async () => {
      const days = await new LogPartitions(runtime).standing();
      // Of the day on which it started, which may end meanwhile.
      expect([upcomingDays(began), upcomingDays(Date.now())]).toContainEqual([...days].sort());
    }, 20_000);
    const event = anEvent();
    expect(await logWriter(runtime).write([event, aStep(event)])).toEqual([]);
    expect(await migrationJob()).toMatchObject({ code: 0, said: 'the schema was up to date\n' });
  });

  it('makes and drops days of the log, and no others', async () => {
    const old = anEvent({ acceptedAt: Date.now() - 12 * DAY_MS });
    expect(await logWriter(runtime).write([old, aStep(old)])).toEqual([]);
    const dropped = await new LogPartitions(runtime).dropBefore(retainedDays(Date.now(), 5).first);
    expect(dropped).toEqual([new Date(old.acceptedAt).toISOString().slice(0, 10)]);
    const today = new Date().toISOString().slice(0, 10);
    for (const table of [`events_${today.replaceAll('-', '')}`, 'events', 'forms', 'audit_entries']) {
      await expect(runtime.query('SELECT drop_log_table($1)', [table]), table).rejects.toThrow('no day of the log');
    }
    await expect(runtime.query(`SELECT make_log_day('2999-01-01')`)).rejects.toThrow('too far ahead');
    await expect(runtime.query(`SELECT make_log_day('1999-01-01')`)).rejects.toThrow('too far back');
  });

  it("calls nothing but PostgreSQL's own functions with the owner's rights", async () => {
    const functions = await owner.query(
      `SELECT proname, proconfig FROM pg_proc WHERE prosecdef AND pronamespace = current_schema()::regnamespace`,
    );
    expect(functions).toHaveLength(2);
    for (const { proconfig, proname } of functions) {
      expect(proconfig, proname).toEqual(['search_path=pg_catalog, pg_temp']);
    }
  });

  it('may try what doctor tries, also where nobody may by default', async () => {
    const name = new URL(ownerUrl).pathname.slice(1);
    await owner.query(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
    const probe = 'CREATE TEMPORARY TABLE mine (a int)';
    await expect(runtime.query(probe)).rejects.toMatchObject({ code: '42501' });
    expect(await schemaLack(runtime)).toEqual({ migrations: [], rights: [] });
    expect(await migrationJob()).toMatchObject({ code: 0, said: expect.stringContaining('got 1 right') });
    await runtime.query(`${probe} ON COMMIT DROP`);
  });

  it('has the right to each table, and to no change of any', async () => {
    expect(await schemaLack(runtime)).toEqual({ migrations: [], rights: [] });
    for (const statement of [
      'CREATE TABLE mine (a int)',
      'CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
      'ALTER TABLE forms ADD COLUMN mine int',
      'ALTER TABLE audit_entries DISABLE TRIGGER ALL',
      'ALTER FUNCTION make_log_day(date) RESET search_path',
      'CREATE INDEX ON deliveries (state)',
      'DROP TABLE outbox',
      'TRUNCATE deliveries',
      'UPDATE audit_entries SET seq = seq',
      'DELETE FROM migrations',
    ]) {
      await expect(runtime.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    }
  });
});
