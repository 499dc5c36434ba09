import type { DataSource } from 'typeorm';

/** Any number will do as long as nothing else in the database uses it: "fwh" and 1. */
const MIGRATION_LOCK = 0x66_77_68_01;
const LOCK_WAIT_MS = 300_000;

/**
 * Brings the schema up to date; replicas that start together take turns, and whoever comes second finds nothing to do.
 * The lock is the session's: if its process dies, PostgreSQL releases it.
 * @throws if another runner holds the lock for more than five minutes, or a migration fails (which is rolled back)
 */
export async function migrate(dataSource: DataSource): Promise<readonly string[]> {
  const guard = dataSource.createQueryRunner();
  await guard.connect();
  try {
    await guard.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
    await guard.query('SET statement_timeout = 0');
    await guard.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const ran = await dataSource.runMigrations({ transaction: 'each' });
    return ran.map((migration) => migration.name);
  } finally {
    // A failed unlock means that the connection is gone, and the lock with it.
    await guard.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await guard.query('RESET ALL').catch(() => undefined);
    await guard.release();
  }
}
