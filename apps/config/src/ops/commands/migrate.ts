import {
  checkRuntimeRole,
  grantRuntimeRights,
  isForbidden,
  migrate,
  missingRights,
  pendingMigrations,
  UnfitRole,
  type DataSource,
  type GrantedRights,
} from '@form-webhooks/storage';
import { counted } from '../../counted.js';
import { DatabaseSettings } from '../../database/database-settings.js';
import { withDatabaseAt } from '../connect.js';
import { EXIT, OpsFailure, type ExitCode, type OpsCall, type OpsCommand } from '../ops-command.js';
import { OpsSettings } from '../ops-settings.js';

/** Brings the schema up to date. */
export const MIGRATE: OpsCommand = {
  name: 'migrate',
  takes: [],
  summary: 'brings the schema up to date; harmless beside running services',
  options: { check: { type: 'boolean', meaning: 'only say what is missing; ends with 1 if anything is' } },
  notes: [
    'It works as the role of MIGRATION_DATABASE_URL, else of DATABASE_URL, which owns the tables then. With',
    'DATABASE_RUNTIME_ROLE it gives that role the rights that config needs with MIGRATION=by_job.',
  ],
  async run(call) {
    const { migrationDatabaseUrl, runtimeRole } = call.installation.settings(OpsSettings);
    const named = migrationDatabaseUrl === undefined ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL';
    const url = migrationDatabaseUrl ?? call.installation.settings(DatabaseSettings).url;
    const act = call.values['check'] === true ? check : carryOut;
    return withDatabaseAt(url, named, async (dataSource) => {
      try {
        return await act(call, dataSource, runtimeRole);
      } catch (error) {
        throw await migrationFailure(error as Error, named, () => roleOf(dataSource));
      }
    });
  },
};

/**
 * What to do about a role that can't do it.
 * @param named the variable that has the URL
 * @returns the same error for anything else
 */
export async function migrationFailure(error: Error, named: string, role: () => Promise<string>): Promise<Error> {
  if (error instanceof UnfitRole) {
    const advice = `CREATE ROLE <name> LOGIN PASSWORD '…', and name it in DATABASE_RUNTIME_ROLE`;
    return new OpsFailure(error.message, advice, EXIT.unable, TWO_ROLES);
  }
  if (!isForbidden(error)) return error;
  const what = `the role ${await role()} in ${named} may not do it: ${error.message}`;
  return new OpsFailure(what, 'name the owner of the tables in MIGRATION_DATABASE_URL', EXIT.unable, TWO_ROLES);
}

async function roleOf(dataSource: DataSource): Promise<string> {
  const [{ role }] = await dataSource.query<[{ role: string }]>('SELECT current_user AS role');
  return role;
}

const TWO_ROLES = 'docs/deployment.md#two-roles-in-the-database';

async function check({ output }: OpsCall, dataSource: DataSource, role: string | undefined): Promise<ExitCode> {
  const { missing } = await pendingMigrations(dataSource);
  const rights = role === undefined ? [] : await missingRights(dataSource, role);
  const lines = [...missing, ...rights.map((right) => `${role} lacks ${right}`)];
  output.result({ missing, rights }, lines.length === 0 ? ['the schema is up to date'] : lines);
  return lines.length === 0 ? EXIT.fine : EXIT.found;
}

async function carryOut({ output }: OpsCall, dataSource: DataSource, role: string | undefined): Promise<ExitCode> {
  // Before anything is changed: a job with a mistyped name would leave a schema that no config may use.
  if (role !== undefined) await checkRuntimeRole(dataSource, role);
  const ran = await migrate(dataSource);
  const { granted, mayChangeSchema } = role === undefined ? NOTHING : await grantRuntimeRights(dataSource, role);
  output.result({ ran, granted, may_change_schema: mayChangeSchema }, [
    ...(ran.length === 0 ? ['the schema was up to date'] : ran.map((name) => `done: ${name}`)),
    ...(granted.length === 0 ? [] : [`${role} got ${counted(granted.length, 'right', 'rights')}`]),
    ...(mayChangeSchema ? [`${role} may still change the schema: REVOKE CREATE ON SCHEMA public FROM PUBLIC`] : []),
  ]);
  return EXIT.fine;
}

const NOTHING: GrantedRights = { granted: [], mayChangeSchema: false };
