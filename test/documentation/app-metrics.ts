import { loadSettings } from '@form-webhooks/settings';
import { createLogger, Metrics, type ShownMetric } from '@form-webhooks/telemetry';
import { createApp as createConfig } from '../../apps/config/src/create-app.js';
import { ConfigSettings } from '../../apps/config/src/settings.js';
import { createApp as createDispatcher } from '../../apps/dispatcher/src/create-app.js';
import { DispatcherSettings } from '../../apps/dispatcher/src/settings.js';
import { createApp as createIngest } from '../../apps/ingest/src/create-app.js';
import { IngestSettings } from '../../apps/ingest/src/settings.js';

/** What any of the apps needs to be put together. */
const ENVIRONMENT = {
  DATABASE_URL: 'postgresql://nobody@localhost/nothing',
  RABBITMQ_URL: 'amqp://localhost',
  SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  ADMIN_API_KEY: 'the-admin-key-of-this-test',
};

/** The metrics that each app really has: it is put together as at its start, and connected to nothing. */
export async function metricsOfApps(): Promise<ReadonlyMap<string, readonly ShownMetric[]>> {
  const logger = createLogger({ app: 'test', level: 'silent' });
  const apps = {
    config: await createConfig(loadSettings(ConfigSettings, ENVIRONMENT), logger),
    dispatcher: await createDispatcher(loadSettings(DispatcherSettings, ENVIRONMENT), logger),
    ingest: await createIngest(loadSettings(IngestSettings, ENVIRONMENT), logger),
  };
  return new Map(Object.entries(apps).map(([name, app]) => [name, app.get(Metrics, { strict: false }).shown]));
}
