import type { DataSource } from 'typeorm';
import { LOCKS, withLockOnceFree } from '../locks/session-lock.js';

/** Another migration job may be at it, ms. */
const LOCK_WITHIN_MS = 60_000;

/** A role can't be what config runs as. */
export class UnfitRole extends Error {
  override readonly name = 'UnfitRole';
}

/** What was given to a role, and whether it could change the schema all the same. */
export interface GrantedRights {
  /** Such as `INSERT ON TABLE forms`; none if the role had all of them. */
  readonly granted: readonly string[];
  readonly mayChangeSchema: boolean;
}

/**
 * Whether a role can be what config runs as, beside the one that is connected and migrates. Needs no schema.
 * @throws UnfitRole if there is no such role, or it is the one that migrates
 */
export async function checkRuntimeRole(dataSource: DataSource, role: string): Promise<void> {
  await findFitRole(dataSource, role);
}

/**
 * Gives a role what config needs while it runs, as far as it lacks it: rows to read and write, none of the tables to
 * change. Called by the owner of the tables, after its migrations.
 * @throws UnfitRole if there is no such role, or it is the one that migrates
 */
export function grantRuntimeRights(dataSource: DataSource, role: string): Promise<GrantedRights> {
  return withLockOnceFree(
    dataSource,
    LOCKS.migrations,
    async () => {
      const { grantee } = await findFitRole(dataSource, role);
      const granted = [...(await missingRights(dataSource, role)), ...(await usefulRights(dataSource, role))];
      await dataSource.transaction(async (tx) => {
        for (const right of granted) await tx.query(`GRANT ${right} TO ${grantee}`);
      });
      const [{ may }] = (await dataSource.query(MAY_CHANGE, [role])) as [{ may: boolean }];
      return { granted, mayChangeSchema: may };
    },
    LOCK_WITHIN_MS,
  );
}

/**
 * The rights that config needs and a role has not, such as `INSERT ON TABLE forms`. An owner lacks none.
 * @throws UnfitRole if there is no such role
 */
export async function missingRights(dataSource: DataSource, role: string): Promise<readonly string[]> {
  await findRole(dataSource, role);
  const rows = (await dataSource.query(MISSING, [role])) as { right: string }[];
  return rows.map(({ right }) => right);
}

interface Role {
  /** Its name, quoted. */
  readonly grantee: string;
  /** Whether it is the one that is connected. */
  readonly own: boolean;
}

/** @throws UnfitRole */
async function findFitRole(dataSource: DataSource, role: string): Promise<Role> {
  const found = await findRole(dataSource, role);
  if (found.own) throw new UnfitRole(`${role} is the role that migrates: it has every right as the owner`);
  return found;
}

/** @throws UnfitRole */
async function findRole(dataSource: DataSource, role: string): Promise<Role> {
  const [found] = (await dataSource.query(ROLE, [role])) as Role[];
  if (found === undefined) throw new UnfitRole(`there is no role ${role} in this database`);
  return found;
}

/** What `doctor` alone uses, so that config starts without it; only the database's owner may give it. */
async function usefulRights(dataSource: DataSource, role: string): Promise<readonly string[]> {
  const rows = (await dataSource.query(USEFUL, [role])) as { right: string }[];
  return rows.map(({ right }) => right);
}

const USEFUL = `
  SELECT 'TEMPORARY ON DATABASE ' || quote_ident(current_database()) AS "right"
  WHERE NOT has_database_privilege($1::name, current_database(), 'TEMPORARY')
    AND has_database_privilege(current_database(), 'TEMPORARY WITH GRANT OPTION')`;

const ROLE = `SELECT quote_ident(rolname) AS grantee, rolname = current_user AS own FROM pg_roles WHERE rolname = $1`;

const MAY_CHANGE = `
  SELECT rolsuper OR has_schema_privilege(rolname, current_schema(), 'CREATE') AS may FROM pg_roles WHERE rolname = $1`;

/**
 * Tables are those of the owner of the migrations. The days of the log are reached through their tables, and numbers of
 * identity columns without a right of their own. Nobody who runs changes what was audited, or what was migrated.
 */
const MISSING = `
  WITH owned AS (
    SELECT c.oid, c.relname FROM pg_class c JOIN pg_class m ON m.oid = to_regclass('migrations')
    WHERE c.relnamespace = m.relnamespace AND c.relowner = m.relowner AND c.relkind IN ('r', 'p')
      AND NOT c.relispartition AND c.relname !~ '^(events|deliveries|attempts)_[0-9]{8}$'),
  needed AS (
    SELECT oid, relname, unnest(CASE relname
      WHEN 'migrations' THEN ARRAY['SELECT']
      WHEN 'audit_entries' THEN ARRAY['SELECT', 'INSERT']
      ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] END) AS "right" FROM owned)
  SELECT 'USAGE ON SCHEMA ' || quote_ident(current_schema()) AS "right"
    WHERE NOT has_schema_privilege($1::name, current_schema(), 'USAGE')
  UNION ALL (SELECT "right" || ' ON TABLE ' || quote_ident(relname) FROM needed
    WHERE NOT has_table_privilege($1::name, oid, "right") ORDER BY relname)
  UNION ALL SELECT 'EXECUTE ON FUNCTION ' || signature FROM unnest(ARRAY['make_log_day(date)', 'drop_log_table(text)']) signature
    WHERE to_regprocedure(signature) IS NOT NULL AND NOT has_function_privilege($1::name, to_regprocedure(signature), 'EXECUTE')`;
