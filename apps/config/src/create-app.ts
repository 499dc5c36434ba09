import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestLogger, type Logger, type Tracing } from '@form-webhooks/telemetry';
import { AppModule } from './app.module.js';
import { createApiAdapter } from './http/api-server.js';
import type { ConfigSettings } from './settings.js';

/** Config's rooms put together, connected to nothing yet. */
export const createApp = (
  settings: ConfigSettings,
  logger: Logger,
  tracing?: Tracing,
): Promise<NestFastifyApplication> => {
  const root = AppModule.forRoot(settings, logger, tracing);
  return NestFactory.create<NestFastifyApplication>(root, createApiAdapter(settings.http), {
    logger: new NestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
};
