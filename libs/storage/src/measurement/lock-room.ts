import type { DataSource } from 'typeorm';

/** What PostgreSQL's table of locks holds beside what searches of the log need; see `max_locks_per_transaction`. */
export interface LockRoom {
  /** `max_locks_per_transaction`: so many for each connection, whoever takes them. */
  readonly perConnection: number;
  /** `max_connections`, and prepared transactions. */
  readonly connections: number;
  /**
   * Locks that one search takes over all days of the log, such as for a delivery by its id: one for each day's table
   * and each of its indexes.
   */
  readonly perSearch: number;
}

/** Reads settings and the catalogue; locks nothing of the log. */
export async function lockRoom(dataSource: DataSource): Promise<LockRoom> {
  const [row] = (await dataSource.query(ROOM)) as [LockRoom];
  return row;
}

const ROOM = `
  SELECT current_setting('max_locks_per_transaction')::int AS "perConnection",
    current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int AS connections,
    ((SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass('deliveries'))
      * (1 + (SELECT count(*) FROM pg_index WHERE indrelid = to_regclass('deliveries'))))::int AS "perSearch"`;
