import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import type { Transaction } from '../database/data-source.js';

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
  apiKeys: 0x66_77_68_09,
  idempotentWrites: 0x66_77_68_10,
} as const;

export type Lock = (typeof LOCKS)[keyof typeof LOCKS];

type Work<T> = (runner: QueryRunner) => Promise<T>;

/** How often a lock is asked for that may take long to come, ms. */
const ASK_EVERY_MS = 250;

/**
 * Runs the work while nobody else in any replica holds the lock, and waits for it before. The lock is the session's: a
 * transaction would be ended by the server while it is idle. If its process dies, PostgreSQL releases it.
 */
export function withLock<T>(dataSource: DataSource, lock: Lock, work: Work<T>): Promise<T> {
  return inSession(dataSource, [], async (runner) => {
    await runner.query('SELECT pg_advisory_lock($1)', [lock]);
    return untilUnlocked(runner, lock, work);
  });
}

/**
 * The same for work that may take longer than any statement, or that makes an index concurrently. Whoever waits for a
 * lock within the server has a snapshot, which such an index waits for: the two would wait for each other for good. So
 * this asks again and again.
 * @param ending ends the waiting, not the work
 * @throws Error if somebody else holds it for longer than `waitMs`; the reason of `ending` once it is aborted
 */
export function withLockOnceFree<T>(
  dataSource: DataSource,
  lock: Lock,
  work: Work<T>,
  waitMs: number,
  ending?: AbortSignal,
): Promise<T> {
  return inSession(dataSource, [], async (runner) => {
    const deadline = performance.now() + waitMs;
    while (!(await tryLock(runner, lock))) {
      if (performance.now() > deadline) throw new Error(`somebody else has held a lock for ${waitMs / 1_000} s`);
      await pause(ASK_EVERY_MS, ending);
    }
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
    return (await tryLock(runner, lock)) ? untilUnlocked(runner, lock, work) : undefined;
  });
}

/**
 * Holds the lock for one subject, such as the owner of keys, until the transaction ends; waits for who holds it. Two
 * subjects whose hashes are equal share a lock: they only wait for each other now and then.
 */
export async function lockSubject(tx: Transaction, lock: Lock, subject: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [lock, subject]);
}

/**
 * Holds the lock for one subject, such as a workspace, until the transaction ends, unless somebody else holds it: it does
 * not wait. Two subjects whose hashes are equal share a lock, so that now and then one is refused for the other.
 * @returns whether it is held now
 */
export async function lockSubjectIfFree(tx: Transaction, lock: Lock, subject: string): Promise<boolean> {
  const sql = 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS held';
  const [{ held }] = (await tx.query(sql, [lock, subject])) as [{ held: boolean }];
  return held;
}

/** @throws the reason of `ending` once it is aborted */
export async function pause(ms: number, ending?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { ...(ending && { signal: ending }) }).catch(() => undefined);
  ending?.throwIfAborted();
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

/** Takes the lock for the session. @returns false if somebody else holds it */
async function tryLock(runner: QueryRunner, lock: Lock): Promise<boolean> {
  const [{ held }] = (await runner.query('SELECT pg_try_advisory_lock($1) AS held', [lock])) as [{ held: boolean }];
  return held;
}

async function untilUnlocked<T>(runner: QueryRunner, lock: Lock, work: Work<T>): Promise<T> {
  try {
    return await work(runner);
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [lock]).catch(() => undefined);
  }
}
