import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { BrokerServer } from '@form-webhooks/broker';
import { loadSettings } from '@form-webhooks/settings';
import { createLogger, HealthServer } from '@form-webhooks/telemetry';
import { expect, it } from 'vitest';
import { AppModule } from './app.module.js';
import { DispatcherSettings } from './settings.js';

it('each module of the dispatcher imports what its providers need', async () => {
  const settings = loadSettings(DispatcherSettings, {
    RABBITMQ_URL: 'amqp://localhost',
    SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  });
  const logger = createLogger({ app: 'dispatcher', level: 'silent' });
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(AppModule.forRoot(settings, logger), {
    inject: [BrokerServer],
    useFactory: (strategy: BrokerServer) => ({ strategy }),
    logger: false,
    abortOnError: false,
  });
  expect(app.get(HealthServer)).toBeInstanceOf(HealthServer);
});
