import { loadSettings } from '@form-webhooks/settings';
import { createLogger, HealthServer } from '@form-webhooks/telemetry';
import { expect, it } from 'vitest';
import { createApp } from './create-app.js';
import { ConfigSettings } from './settings.js';

it('each module of config imports what its providers need', async () => {
  const settings = loadSettings(ConfigSettings, {
    DATABASE_URL: 'postgresql://nobody@localhost/nothing',
    RABBITMQ_URL: 'amqp://localhost',
    ADMIN_API_KEY: 'the-admin-key-of-this-test',
    SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  });
  const logger = createLogger({ app: 'config', level: 'silent' });
  const app = await createApp(settings, logger);
  expect(app.get(HealthServer)).toBeInstanceOf(HealthServer);
});
