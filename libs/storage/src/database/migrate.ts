import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { LOCKS, pause, withLockOnceFree } from '../locks/session-lock.js';
import { isLockTimeout } from './data-source.js';
import type { LimitedClient } from '../connections/limited-client.js';

export interface MigrationLimits {
  /** How long a statement may wait for a lock, ms. Whoever comes behind it waits as long: the log's writer, too. */
  readonly lockTimeoutMs: number;
  /** How long the others go on before it tries again, ms. */
  readonly pauseMs: number;
  /** For how long it tries to get a lock in all, and how long a replica waits for another that migrates, ms. */
  readonly tryForMs: number;
}

const LIMITS: MigrationLimits = { lockTimeoutMs: 1_000, pauseMs: 3_000, tryForMs: 300_000 };
/** A statement may have to read a whole table, but no table takes longer. */
const LONGEST_STATEMENT_MS = 6 * 3_600_000;

/**
 * Brings the schema up to date; replicas that start together take turns, and whoever comes second finds nothing to do.
 * A lock that it can't get soon it gives up, with all that the migration did, and tries again later: a statement that
 * waits for its lock lets nobody else get one, so that one long reader would stop the log.
 * @param ending ends the waiting for others and for their locks; a migration that runs comes to its end
 * @throws if another runner holds the lock for more than five minutes, or a migration fails (which is rolled back); the
 * reason of `ending` once it is aborted
 */
export async function migrate(
  dataSource: DataSource,
  limits = LIMITS,
  ending?: AbortSignal,
): Promise<readonly string[]> {
  const run = (): Promise<string[]> => runPending(dataSource, limits, ending);
  return withLockOnceFree(dataSource, LOCKS.migrations, run, limits.tryForMs, ending);
}

async function runPending(dataSource: DataSource, limits: MigrationLimits, ending?: AbortSignal): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as LimitedClient;
  const endSilence = client.allowSilence(LONGEST_STATEMENT_MS);
  try {
    await runner.query(`SET lock_timeout = ${limits.lockTimeoutMs}`);
    await runner.query(`SET statement_timeout = ${LONGEST_STATEMENT_MS}`);
    return await untilLocksAreFree(limits, () => runOnce(dataSource, runner), ending);
  } finally {
    endSilence();
    // What fails here fails because the connection is gone, and its settings with it.
    await runner.query('RESET ALL').catch(() => undefined);
    await runner.release();
  }
}

/** @returns those that ran, also in rounds that ended at a lock */
async function untilLocksAreFree(
  limits: MigrationLimits,
  run: () => Promise<RunMigrations>,
  ending?: AbortSignal,
): Promise<string[]> {
  const deadline = performance.now() + limits.tryForMs;
  const names: string[] = [];
  for (;;) {
    const { ran, failure } = await run();
    names.push(...ran);
    if (failure === undefined) return names;
    if (!isLockTimeout(failure) || performance.now() + limits.pauseMs > deadline) throw failure;
    await pause(limits.pauseMs, ending);
  }
}

interface RunMigrations {
  readonly ran: readonly string[];
  readonly failure?: Error;
}

/** Runs what is pending, each in a transaction of its own unless it says `transaction = false`. */
async function runOnce(dataSource: DataSource, runner: QueryRunner): Promise<RunMigrations> {
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = 'each';
  const pending = await executor.getPendingMigrations();
  try {
    return { ran: (await executor.executePendingMigrations()).map(({ name }) => name) };
  } catch (error) {
    const left = new Set((await executor.getPendingMigrations()).map(({ name }) => name));
    return { ran: pending.map(({ name }) => name).filter((name) => !left.has(name)), failure: error as Error };
  }
}
