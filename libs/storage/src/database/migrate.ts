import type { DataSource } from 'typeorm';
import { LOCKS, withLock } from '../locks/session-lock.js';

const LOCK_WAIT_MS = 300_000;

/**
 * Brings the schema up to date; replicas that start together take turns, and whoever comes second finds nothing to do.
 * @throws if another runner holds the lock for more than five minutes, or a migration fails (which is rolled back)
 */
export async function migrate(dataSource: DataSource): Promise<readonly string[]> {
  const run = () => dataSource.runMigrations({ transaction: 'each' });
  const ran = await withLock(dataSource, LOCKS.migrations, run, LOCK_WAIT_MS);
  return ran.map((migration) => migration.name);
}
