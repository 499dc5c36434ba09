import { randomBytes } from 'node:crypto';
import { createDataSource, type DataSource } from '@form-webhooks/storage';
import { inject, vi } from 'vitest';
import { runStatement } from './template-database.js';

const DROPPED_WITHIN = { timeout: 30_000, interval: 100 };

export interface OwnDatabase {
  readonly url: string;
  /** Ends whoever is still connected. */
  readonly drop: () => Promise<void>;
}

/** A database of one's own on the test run's server, without tables. */
export const emptyDatabase = (): Promise<OwnDatabase> => createDatabase('');

/** The same with the schema of now. */
export const migratedDatabase = (): Promise<OwnDatabase> => createDatabase(`TEMPLATE ${inject('templates').migrated}`);

/** The same with the days of the log that config makes at its start, for one that is to start there. */
export const databaseWithDays = (): Promise<OwnDatabase> => createDatabase(`TEMPLATE ${inject('templates').withDays}`);

async function createDatabase(from: string): Promise<OwnDatabase> {
  const server = inject('databaseUrl');
  const name = `config_${randomBytes(6).toString('hex')}`;
  await runStatement(server, `CREATE DATABASE ${name} ${from}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const dropStatement = `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;
  // Refused while an autovacuum worker is at work in it, which belongs to the superuser: only that one may end it.
  return { url: url.toString(), drop: () => vi.waitFor(() => runStatement(server, dropStatement), DROPPED_WITHIN) };
}

/** Looks into a service's database behind its back. */
export const openDatabase = (url: string, poolSize = 3): Promise<DataSource> =>
  createDataSource({
    url,
    applicationName: 'test',
    poolSize,
    statementTimeoutMs: 60_000,
    onIdleError: (error) => console.error(error),
  }).initialize();
