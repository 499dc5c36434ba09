import { randomBytes } from 'node:crypto';
import { createDataSource, type DataSource } from '@form-webhooks/storage';
import pg from 'pg';
import { inject, vi } from 'vitest';

const DROPPED_WITHIN = { timeout: 30_000, interval: 100 };

/** A database of one's own on the test run's server, without tables; `drop` ends whoever is still connected. */
export async function emptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = inject('databaseUrl');
  const name = `config_${randomBytes(6).toString('hex')}`;
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const dropStatement = `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  // Refused while an autovacuum worker is at work in it, which belongs to the superuser: only that one may end it.
  return { url: url.toString(), drop: () => vi.waitFor(() => run(dropStatement), DROPPED_WITHIN) };
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
