import type { KeyRing } from '@form-webhooks/domain';
import { createDataSource, type DataSource, migrate, secretsByKey } from '@form-webhooks/storage';
import type { Logger } from '@form-webhooks/telemetry';
import type { ConfigSettings } from '../settings.js';

/**
 * Connects and brings the schema up to date.
 * @throws if the database can't be reached, a migration fails, or a stored secret could not be opened
 */
export async function openDatabase(settings: ConfigSettings, logger: Logger): Promise<DataSource> {
  const dataSource = createDataSource({
    url: settings.database.url,
    applicationName: 'form-webhooks config',
    poolSize: settings.pool.size,
    statementTimeoutMs: settings.pool.statementTimeoutMs,
    onIdleError: (error) => logger.warn({ err: error }, 'the database closed an idle connection'),
  });
  await dataSource.initialize();
  const ran = await migrate(dataSource);
  if (ran.length > 0) logger.info({ migrations: ran }, 'the schema is up to date');
  await checkKeys(dataSource, settings.sealing.keyRing);
  return dataSource;
}

/** Better not to start than to find out at the first delivery that a key was taken out too early. */
async function checkKeys(dataSource: DataSource, keyRing: KeyRing): Promise<void> {
  const missing = [...(await secretsByKey(dataSource))].filter(([keyId]) => !keyRing.holds(keyId));
  if (missing.length === 0) return;
  const list = missing.map(([keyId, secrets]) => `"${keyId}" (${secrets} secrets)`).join(', ');
  throw new Error(`SECRET_KEYS lacks keys that seal stored secrets: ${list}`);
}
