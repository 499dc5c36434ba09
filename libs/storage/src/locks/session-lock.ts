import type { DataSource, QueryRunner } from 'typeorm';
import type { Transaction } from '../database/data-source.js';
import type { LimitedClient } from '../database/limited-client.js';

/**
 * The advisory locks of the product: "fwh" and a number, which must be nobody else's in the database. Each fits four
 * bytes, as the first of two keys must.
 */
export const LOCKS = {
  migrations: 0x66_77_68_01,
  makeDays: 0x66_77_68_02,
  dropDays: 0x66_77_68_03,
  logWriters: 0x66_77_68_04,
  parkedReview: 0x66_77_68_05,
  workspaceReplays: 0x66_77_68_06,
  replayPreviews: 0x66_77_68_07,
  finishErasures: 0x66_77_68_08,
  idempotentWrites: 0x66_77_68_10,
} as const;

export type Lock = (typeof LOCKS)[keyof typeof LOCKS];

type Work<T> = (runner: QueryRunner) => Promise<T>;

/** How much longer than the lock's own limit the server's refusal may take. */
const ANSWER_MARGIN_MS = 5_000;

/**
 * Runs the work while nobody else in any replica holds the lock, and waits for it before. The lock is the session's: a
 * transaction would be ended by the server while it is idle. If its process dies, PostgreSQL releases it.
 * @param waitMs how long it may wait for the lock, if that is longer than any other statement may take
 */
export function withLock<T>(dataSource: DataSource, lock: Lock, work: Work<T>, waitMs?: number): Promise<T> {
  const settings = waitMs === undefined ? [] : [`SET lock_timeout = ${waitMs}`, 'SET statement_timeout = 0'];
  return inSession(dataSource, settings, async (runner) => {
    const end = waitMs === undefined ? () => undefined : await allowSilence(runner, waitMs + ANSWER_MARGIN_MS);
    await runner.query('SELECT pg_advisory_lock($1)', [lock]).finally(end);
    return untilUnlocked(runner, lock, work);
  });
}

/** The same without waiting. @returns undefined if somebody else holds it */
export function withLockIfFree<T>(
  dataSource: DataSource,
  lock: Lock,
  work: Work<T>,
  settings: readonly string[] = [],
): Promise<T | undefined> {
  return inSession(dataSource, settings, async (runner) => {
    const [{ held }] = (await runner.query('SELECT pg_try_advisory_lock($1) AS held', [lock])) as [{ held: boolean }];
    return held ? untilUnlocked(runner, lock, work) : undefined;
  });
}

/**
 * Holds the lock for one subject, such as a workspace, until the transaction ends; waits for who holds it. Two subjects
 * whose hashes are equal share a lock: they only wait for each other now and then.
 */
export async function lockSubject(tx: Transaction, lock: Lock, subject: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [lock, subject]);
}

/** The same without waiting. @returns false if somebody else holds it */
export async function lockSubjectIfFree(tx: Transaction, lock: Lock, subject: string): Promise<boolean> {
  const sql = 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS held';
  const [{ held }] = (await tx.query(sql, [lock, subject])) as [{ held: boolean }];
  return held;
}

async function inSession<T>(dataSource: DataSource, settings: readonly string[], work: Work<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  await runner.connect();
  try {
    for (const setting of settings) await runner.query(setting);
    return await work(runner);
  } finally {
    // What fails here fails because the connection is gone, and its settings and locks with it.
    if (settings.length > 0) await runner.query('RESET ALL').catch(() => undefined);
    await runner.release();
  }
}

async function allowSilence(runner: QueryRunner, ms: number): Promise<() => void> {
  return ((await runner.connect()) as LimitedClient).allowSilence(ms);
}

async function untilUnlocked<T>(runner: QueryRunner, lock: Lock, work: Work<T>): Promise<T> {
  try {
    return await work(runner);
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [lock]).catch(() => undefined);
  }
}
