import type { DataSource } from 'typeorm';
import { pendingMigrations } from './pending-migrations.js';
import { missingRights } from './runtime-rights.js';

/** What config can't work without; all empty if the schema is current. */
export interface SchemaLack {
  readonly migrations: readonly string[];
  /** Such as `INSERT ON TABLE forms`. */
  readonly rights: readonly string[];
}

/** Looks whether the schema is current for this version, and open to the role that looks. Changes nothing. */
export async function schemaLack(dataSource: DataSource): Promise<SchemaLack> {
  const [{ role }] = (await dataSource.query('SELECT current_user AS role')) as [{ role: string }];
  const rights = await missingRights(dataSource, role);
  // It can't read which migrations ran.
  if (rights.includes(READ_MIGRATIONS)) return { migrations: [], rights };
  return { migrations: (await pendingMigrations(dataSource)).missing, rights };
}

const READ_MIGRATIONS = 'SELECT ON TABLE migrations';
