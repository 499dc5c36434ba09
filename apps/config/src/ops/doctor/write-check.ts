import type { DataSource } from '@form-webhooks/storage';
import { fine, unknown, wrong, type Finding } from './finding.js';

/** Some pages, so that a file has to grow, which a full disk refuses. */
const PROBE = 'CREATE TEMPORARY TABLE operator_probe ON COMMIT DROP AS SELECT n FROM generate_series(1, 5000) AS n';

/** Ends the transaction that tried it: nothing of it stays. */
class Undone extends Error {}

/** Whether rows can be written, tried in a transaction that is undone: one that only reads answers every other check. */
export async function checkWrites(dataSource: DataSource): Promise<Finding> {
  try {
    await dataSource.transaction(async (manager) => {
      await manager.query(PROBE);
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) return judgeWriteFailure(error);
  }
  return fine('database writes', 'rows can be written');
}

/** Why nothing can be written. */
export function judgeWriteFailure(error: unknown): Finding {
  const { code, message } = error as Error & { readonly code?: unknown };
  if (code === '53100') {
    return wrong('database writes', {
      what: `PostgreSQL's disk is full: ${message}`,
      repair:
        'free space or enlarge it, and start PostgreSQL if it has ended; deliveries go on, their records wait in the broker. ' +
        'Lower LOG_RETENTION_DAYS for good',
      see: 'docs/incidents.md#a-full-disk',
    });
  }
  if (code === '25006') {
    return wrong('database writes', {
      what: 'PostgreSQL only reads: it is a standby, or was set to read-only',
      repair: 'let DATABASE_URL name the primary; after a failover promote the standby',
      see: 'docs/troubleshooting.md#postgresql-is-down',
    });
  }
  if (code === '42501') {
    return wrong('database writes', {
      what: `whether rows can be written can't be tried, which takes a temporary table: ${message}`,
      repair:
        '`GRANT TEMPORARY ON DATABASE … TO …` the role in DATABASE_URL; or `npm run ops -- migrate` with ' +
        'DATABASE_RUNTIME_ROLE, as the owner of the database, which gives it',
      see: 'docs/deployment.md#two-roles-in-the-database',
    });
  }
  return unknown('database writes', `it could not be tried: ${message}`);
}
