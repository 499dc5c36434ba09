import type { DataSource } from 'typeorm';

/** How the schema stands beside the migrations that this version has. */
export interface MigrationsStanding {
  /** Those that the database has not; all of them if nothing ever migrated it. */
  readonly missing: readonly string[];
  /** Those that this version does not know: a later one was here. */
  readonly later: readonly string[];
}

/** Reads which migrations ran; changes nothing. */
export async function pendingMigrations(dataSource: DataSource): Promise<MigrationsStanding> {
  const known = dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const [{ stands }] = (await dataSource.query(`SELECT to_regclass('migrations') IS NOT NULL AS stands`)) as [
    { stands: boolean },
  ];
  const rows = stands ? ((await dataSource.query('SELECT name FROM migrations')) as { name: string }[]) : [];
  const ran = new Set(rows.map(({ name }) => name));
  return {
    missing: known.filter((name) => !ran.has(name)),
    later: [...ran].filter((name) => !known.includes(name)),
  };
}
