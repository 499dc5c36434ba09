import type { Transaction } from './data-source.js';
import { retainedDays, type RetainedDays } from './log-days.js';

/**
 * The moment now by the database's clock: the one that all replicas go by. A replica's own may be off by an hour or a
 * month, and what it had written in rows would hold others up for as long.
 */
export async function databaseNow(tx: Transaction): Promise<Date> {
  const [{ now }] = (await tx.query(`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`)) as [{ now: Date }];
  return now;
}

/** The days that the log holds at this moment: what is read and chosen of it must not hang on a replica's clock either. */
export async function retainedNow(tx: Transaction, retentionDays: number): Promise<RetainedDays> {
  return retainedDays((await databaseNow(tx)).getTime(), retentionDays);
}
