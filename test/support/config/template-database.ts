import { randomBytes } from 'node:crypto';
import { createDataSource, LogPartitions, migrate, upcomingDays, type DataSource } from '@form-webhooks/storage';
import pg from 'pg';

/** Runs one statement on a connection of its own. */
export async function runStatement(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Databases that others are copied from: making each anew takes far longer. */
export interface Templates {
  /** The name of one with the schema of now. */
  readonly migrated: string;
  /** The same with the days of the log that config makes at its start. */
  readonly withDays: string;
}

/** Nobody can connect to them: a copy is refused while somebody does. */
export async function makeTemplates(server: string): Promise<{ templates: Templates; drop: () => Promise<void> }> {
  const suffix = randomBytes(6).toString('hex');
  const templates = { migrated: `migrated_${suffix}`, withDays: `with_days_${suffix}` };
  await runStatement(server, `CREATE DATABASE ${templates.migrated}`);
  await change(server, templates.migrated, (dataSource) => migrate(dataSource));
  await runStatement(server, `CREATE DATABASE ${templates.withDays} TEMPLATE ${templates.migrated}`);
  await change(server, templates.withDays, (dataSource) =>
    new LogPartitions(dataSource).make(upcomingDays(Date.now())),
  );
  const drop = async (): Promise<void> => {
    for (const name of Object.values(templates)) await runStatement(server, `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { templates, drop };
}

async function change(server: string, name: string, by: (dataSource: DataSource) => Promise<unknown>): Promise<void> {
  const url = new URL(server);
  url.pathname = `/${name}`;
  const options = { applicationName: 'test template', poolSize: 2, statementTimeoutMs: 60_000 };
  const onIdleError = (error: Error): void => console.error(error);
  const dataSource = await createDataSource({ url: url.toString(), ...options, onIdleError }).initialize();
  await by(dataSource);
  await dataSource.destroy();
  await runStatement(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
}
