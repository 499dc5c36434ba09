import type { Transaction } from './data-source.js';

const NOW = `date_trunc('milliseconds', clock_timestamp())`;

/**
 * The moment now by the database's clock: the one that all replicas go by. A replica's own may be off by an hour or a
 * month, and what it had written in rows would hold others up for as long.
 */
export async function databaseNow(tx: Transaction): Promise<Date> {
  const [{ now }] = (await tx.query(`SELECT ${NOW} AS now`)) as [{ now: Date }];
  return now;
}

/**
 * From now on no statement of the transaction may take longer; the server cancels it with SQLSTATE 57014.
 * @returns the moment now by the database's clock, as `databaseNow` tells it with a statement of its own
 */
export async function limitStatements(tx: Transaction, timeoutMs: number): Promise<Date> {
  const { extra } = tx.connection.options as { readonly extra?: { readonly statement_timeout?: number } };
  const limitMs = Math.min(timeoutMs, extra?.statement_timeout ?? timeoutMs);
  const limit = `SELECT set_config('statement_timeout', $1, true), ${NOW} AS now`;
  const [{ now }] = (await tx.query(limit, [String(limitMs)])) as [{ now: Date }];
  return now;
}
