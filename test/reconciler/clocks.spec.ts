import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chooseFreePort } from '@form-webhooks/local';
import type { EventRecord } from '@form-webhooks/messages';
import type { DataSource } from '@form-webhooks/storage';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { emptyBroker, startBroker } from '../support/broker.js';
import { migratedDatabase, openDatabase, type OwnDatabase } from '../support/config/config-database.js';
import { ADMIN_KEY, SECRET_KEYS } from '../support/config/config-stage.js';
import { anEvent, aStep, logWriter } from '../support/config/delivery-log.js';
import { EchoingDispatcher } from '../support/config/echoing-dispatcher.js';
import { ServiceProcess } from '../support/stack.js';

/*
 * A clock can be wrong for a moment: the one of a config replica, or the database's own. What is not due must not be
 * published again for it, and what is lost must not wait until the clock has caught up.
 */

const HOUR_MS = 3_600_000;
const PATIENCE = { timeout: 60_000, interval: 100 };
vi.setConfig({ testTimeout: 180_000 });
const CLOCK_PRELOAD = join(import.meta.dirname, '../survive/dist/faults/clock-preload.js');

const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-clocks-'));
const clockFile = join(folder, 'clock');
let database: OwnDatabase;
let config: ServiceProcess;
let dataSource: DataSource;
let dispatcher: EchoingDispatcher;

beforeAll(async () => {
  await emptyBroker(brokerUrl());
  database = await migratedDatabase();
  const healthPort = await chooseFreePort();
  config = new ServiceProcess('config', environment(healthPort), healthPort);
  await config.start();
  dataSource = await openDatabase(database.url);
});
afterAll(async () => {
  await dataSource.destroy();
  await config.stop();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const environment = (healthPort: number): Record<string, string> => ({
  DATABASE_URL: database.url,
  RABBITMQ_URL: brokerUrl(),
  SECRET_KEYS,
  ADMIN_API_KEY: ADMIN_KEY,
  HTTP_PORT: '0',
  HEALTH_PORT: String(healthPort),
  RECONCILE_GRACE: '1s',
  RECONCILE_INTERVAL: '200ms',
  ATTEMPT_TIMEOUT: '100ms',
  NODE_OPTIONS: `--import=${pathToFileURL(CLOCK_PRELOAD).href}`,
  SURVIVE_CLOCK_FILE: clockFile,
});

/** Sets the clock of config this far from the right time. */
function setClock(offsetMs: number): void {
  writeFileSync(clockFile, String(offsetMs));
  process.kill(config.pid!, 'SIGUSR2');
}

/** A delivery that was due a minute ago, and that no queue holds. */
async function lost(): Promise<string> {
  const event = anEvent({ acceptedAt: Date.now() - 60_000 });
  await logWriter(dataSource).write([event]);
  return idOf(event);
}

/** A delivery that waits for a retry in half an hour. */
async function notDue(): Promise<string> {
  const event = anEvent({ acceptedAt: Date.now() - 60_000 });
  const position = { generation: 0, try: 3, deferrals: 0 };
  const waiting = { state: 'retrying', position, nextAttemptAt: Date.now() + HOUR_MS / 2, attempt: null } as const;
  await logWriter(dataSource).write([event, aStep(event, waiting)]);
  return idOf(event);
}

const idOf = (event: EventRecord): string => event.deliveries[0]!.deliveryId;
const takenIds = (): string[] => dispatcher.taken.map(({ deliveryId }) => deliveryId);

const reconciliationsDone = async (): Promise<number> => {
  const rows: unknown[] = await dataSource.query(`SELECT 1 FROM reconciliations WHERE phase = 'done'`);
  return rows.length;
};

it('publishes nothing that is not due while the clock of a replica is ahead, and what is lost all the same', async () => {
  dispatcher = await EchoingDispatcher.open(await startBroker(brokerUrl()));
  setClock(HOUR_MS);
  const [waiting, gone] = [await notDue(), await lost()];
  await vi.waitFor(() => expect(takenIds()).toContain(gone), PATIENCE);
  const done = await reconciliationsDone();
  await vi.waitFor(async () => expect(await reconciliationsDone()).toBeGreaterThan(done + 1), PATIENCE);
  expect(takenIds()).not.toContain(waiting);
});

it('waits for nothing that a clock which was ahead has begun', async () => {
  dispatcher = await EchoingDispatcher.open(await startBroker(brokerUrl()));
  setClock(0);
  const gone = await lost();
  await vi.waitFor(() => expect(takenIds()).toContain(gone), PATIENCE);
});

it('begins anew what lies in the future since the clock of the database was set back', async () => {
  dispatcher = await EchoingDispatcher.open(await startBroker(brokerUrl()));
  await vi.waitFor(async () => {
    const ahead: unknown[][] = await dataSource.query(
      `UPDATE reconciliations SET began_at = began_at + interval '1 hour', phase_at = phase_at + interval '1 hour'
       WHERE finished_at IS NULL RETURNING id`,
    );
    expect(ahead[0]).toHaveLength(1);
  }, PATIENCE);
  const gone = await lost();
  await vi.waitFor(() => expect(takenIds()).toContain(gone), PATIENCE);
});

it('begins the next one although the last has ended in the future', async () => {
  dispatcher = await EchoingDispatcher.open(await startBroker(brokerUrl()));
  await vi.waitFor(async () => expect(await reconciliationsDone()).toBeGreaterThan(0), PATIENCE);
  await dataSource.query(
    `UPDATE reconciliations SET finished_at = finished_at + interval '1 hour' WHERE phase = 'done'`,
  );
  const gone = await lost();
  await vi.waitFor(() => expect(takenIds()).toContain(gone), PATIENCE);
});
