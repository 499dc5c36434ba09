import { loadSettings } from '@form-webhooks/settings';
import { createLogger, HealthServer } from '@form-webhooks/telemetry';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { expect, it } from 'vitest';
import { AppModule } from './app.module.js';
import { createApiAdapter } from './http/http-door.js';
import { IngestSettings } from './settings.js';

it('each module of ingest imports what its providers need', async () => {
  const settings = loadSettings(IngestSettings, { RABBITMQ_URL: 'amqp://localhost' });
  const logger = createLogger({ app: 'ingest', level: 'silent' });
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(settings, logger),
    createApiAdapter(settings),
    { logger: false, abortOnError: false },
  );
  expect(app.get(HealthServer)).toBeInstanceOf(HealthServer);
});
