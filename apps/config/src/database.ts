import { createDataSource, type DataSource, migrate } from '@form-webhooks/storage';
import type { Logger } from '@form-webhooks/telemetry';
import type { ConfigSettings } from './settings.js';

/** Connects and brings the schema up to date. @throws if the database can't be reached or a migration fails */
export async function openDatabase(settings: ConfigSettings, logger: Logger): Promise<DataSource> {
  const dataSource = createDataSource({
    url: settings.databaseUrl,
    applicationName: 'form-webhooks config',
    poolSize: settings.databasePoolSize,
    statementTimeoutMs: settings.databaseStatementTimeoutMs,
    onIdleError: (error) => logger.warn({ err: error }, 'the database closed an idle connection'),
  });
  await dataSource.initialize();
  const ran = await migrate(dataSource);
  if (ran.length > 0) logger.info({ migrations: ran }, 'the schema is up to date');
  return dataSource;
}
