import type { DataSource } from 'typeorm';
import type { LogDay } from '../database/log-days.js';
import { TABLES } from './known-tables.js';

/** What tells of a database whether it is a whole and recent one; nothing in it costs more with a larger log. */
export interface DatabaseContents {
  /** Those of `TABLES` that are not there. */
  readonly missingTables: readonly string[];
  /** The latest moment at which config wrote into it: it does so every minute or two. Null if it never ran. */
  readonly writtenAt: Date | null;
  /** Days of the log that are there, in order. */
  readonly days: readonly LogDay[];
}

/** Looks which tables are there and when config wrote last. */
export async function databaseContents(dataSource: DataSource): Promise<DatabaseContents> {
  const rows = (await dataSource.query(STANDING, [TABLES])) as { name: string }[];
  const standing = new Set(rows.map(({ name }) => name));
  const missingTables = TABLES.filter((name) => !standing.has(name));
  const readable = ['reconciliations', 'audit_entries', 'audit_heads'].every((name) => standing.has(name));
  const [written] = readable ? ((await dataSource.query(WRITTEN)) as [{ at: Date | null }]) : [{ at: null }];
  const days = (await dataSource.query(DAYS)) as { day: LogDay }[];
  return { missingTables, writtenAt: written.at, days: days.map(({ day }) => day) };
}

const STANDING = `SELECT name FROM unnest($1::text[]) name WHERE to_regclass(name) IS NOT NULL`;

/** The newest entry of each chain is found by its head: no index has the moments of all workspaces in order. */
const WRITTEN = `SELECT greatest((SELECT max(phase_at) FROM reconciliations),
  (SELECT max(e.at) FROM audit_heads h JOIN audit_entries e USING (workspace_id, seq))) AS at`;

const DAYS = `
  SELECT to_char(to_date(split_part(relname, '_', 2), 'YYYYMMDD'), 'YYYY-MM-DD') AS day FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname ~ '^deliveries_[0-9]{8}$' ORDER BY 1`;
