import {
  grantRuntimeRights,
  migrate,
  missingRights,
  pendingMigrations,
  UnfitRole,
  type DataSource,
  type GrantedRights,
} from '@form-webhooks/storage';
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
    const url = migrationDatabaseUrl ?? call.installation.settings(DatabaseSettings).url;
    return withDatabaseAt(url, (dataSource) =>
      call.values['check'] === true ? check(call, dataSource, runtimeRole) : carryOut(call, dataSource, runtimeRole),
    );
  },
};

async function check({ output }: OpsCall, dataSource: DataSource, role: string | undefined): Promise<ExitCode> {
  const { missing } = await pendingMigrations(dataSource);
  const rights = role === undefined ? [] : await missingRights(dataSource, role);
  const lines = [...missing, ...rights.map((right) => `${role} lacks ${right}`)];
  output.result({ missing, rights }, lines.length === 0 ? ['the schema is up to date'] : lines);
  return lines.length === 0 ? EXIT.fine : EXIT.found;
}

async function carryOut({ output }: OpsCall, dataSource: DataSource, role: string | undefined): Promise<ExitCode> {
  const ran = await migrate(dataSource);
  const { granted, mayChangeSchema } = await grant(dataSource, role);
  output.result({ ran, granted, may_change_schema: mayChangeSchema }, [
    ...(ran.length === 0 ? ['the schema was up to date'] : ran.map((name) => `done: ${name}`)),
    ...(granted.length === 0 ? [] : [`${role} got ${granted.length} rights`]),
    ...(mayChangeSchema ? [`${role} may still change the schema: REVOKE CREATE ON SCHEMA public FROM PUBLIC`] : []),
  ]);
  return EXIT.fine;
}

async function grant(dataSource: DataSource, role: string | undefined): Promise<GrantedRights> {
  if (role === undefined) return { granted: [], mayChangeSchema: false };
  try {
    return await grantRuntimeRights(dataSource, role);
  } catch (error) {
    if (!(error instanceof UnfitRole)) throw error;
    const advice = `CREATE ROLE <name> LOGIN PASSWORD '…', and name it in DATABASE_RUNTIME_ROLE`;
    throw new OpsFailure(error.message, advice, EXIT.unable, 'docs/deployment.md#two-roles-in-the-database');
  }
}
