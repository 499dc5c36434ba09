import type { DataSource } from 'typeorm';

/** Any number will do as long as nothing else in the database uses it: "fwh" and 5. */
const REVIEW_LOCK = 0x66_77_68_05;

/**
 * Runs the work while nobody else in any replica does. Two who look through one queue at once would each see only what
 * the other doesn't hold.
 */
export async function withReviewLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    // Not in a transaction: the server ends those that are idle for long.
    await runner.connect();
    await runner.query('SELECT pg_advisory_lock($1)', [REVIEW_LOCK]);
    try {
      return await work();
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [REVIEW_LOCK]);
    }
  } finally {
    await runner.release();
  }
}
