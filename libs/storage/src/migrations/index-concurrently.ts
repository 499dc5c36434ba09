import type { QueryRunner } from 'typeorm';

/** An index of a table that may be large. */
export interface LargeIndex {
  readonly name: string;
  readonly table: string;
  /** What stands behind the table's name: `(form_id, accepted_at)`, `USING hash (submission_id)`. */
  readonly on: string;
}

/**
 * Makes an index while the table is written: `CREATE INDEX` alone would stop its writers until all of it is read. The
 * migration has `transaction = false`, so what an interrupted one left is made anew, and it may run any number of times.
 */
export async function indexConcurrently(runner: QueryRunner, index: LargeIndex): Promise<void> {
  // It waits for every transaction that was there before, and nobody waits for it meanwhile.
  const [{ lock_timeout: usual }] = (await runner.query('SHOW lock_timeout')) as [{ lock_timeout: string }];
  await runner.query('SET lock_timeout = 0');
  try {
    await dropIfInvalid(runner, index.name);
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${index.name} ON ${index.table} ${index.on}`);
  } finally {
    await runner.query(`SET lock_timeout = '${usual}'`);
  }
}

/**
 * The same for a table in partitions, which PostgreSQL can't do in one statement: an index of the parent alone, which is
 * there in an instant, then one of each partition, attached to it. A partition that is made meanwhile gets its own.
 */
export async function indexPartitionsConcurrently(runner: QueryRunner, index: LargeIndex): Promise<void> {
  const { name, table, on } = index;
  await runner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ONLY ${table} ${on}`);
  const partitions = (await runner.query(PARTITIONS, [table, name])) as { partition: string }[];
  for (const { partition } of partitions) {
    const part = `${name}_${partition.split('_').at(-1)!}`;
    await indexConcurrently(runner, { name: part, table: partition, on });
    await runner.query(`ALTER INDEX ${name} ATTACH PARTITION ${part}`);
  }
}

/** What `CREATE INDEX CONCURRENTLY` leaves behind when it is interrupted: an index that nobody reads. */
async function dropIfInvalid(runner: QueryRunner, name: string): Promise<void> {
  const rows = (await runner.query(INVALID, [name])) as unknown[];
  if (rows.length > 0) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
}

const INVALID = `SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid`;

/** Those that have no part of the index yet. */
const PARTITIONS = `
  SELECT i.inhrelid::regclass::text AS partition FROM pg_inherits i
  WHERE i.inhparent = to_regclass($1) AND NOT i.inhdetachpending AND NOT EXISTS (
    SELECT FROM pg_inherits part JOIN pg_index x ON x.indexrelid = part.inhrelid
    WHERE part.inhparent = to_regclass($2) AND x.indrelid = i.inhrelid)
  ORDER BY 1`;
