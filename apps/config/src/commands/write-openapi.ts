import 'reflect-metadata';
import { loadSettings } from '@form-webhooks/settings';
import { createLogger } from '@form-webhooks/telemetry';
import { createApp } from '../create-app.js';
import { describeApi } from '../http/openapi/documentation.js';
import { ConfigSettings } from '../settings.js';

/** No database and no broker is reached: the document comes from the routes and the DTOs alone. */
const NOWHERE = {
  DATABASE_URL: 'postgresql://nobody@localhost/nothing',
  RABBITMQ_URL: 'amqp://localhost',
  ADMIN_API_KEY: 'no-key-as-nothing-is-served-0123456789',
  SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
};

// Writes the OpenAPI document to the standard output, for the build of clients.
const settings = loadSettings(ConfigSettings, NOWHERE);
const app = await createApp(settings, createLogger({ app: 'config', level: 'silent' }));
process.stdout.write(`${JSON.stringify(describeApi(app))}\n`);
