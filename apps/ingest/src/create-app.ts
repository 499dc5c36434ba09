import { NestLogger, type Logger, type Tracing } from '@form-webhooks/telemetry';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { createApiAdapter, HttpDoor } from './http/http-door.js';
import type { IngestSettings } from './settings.js';

/** Ingest's two doors put together, connected to nothing yet. */
export async function createApp(
  settings: IngestSettings,
  logger: Logger,
  tracing?: Tracing,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(settings, logger, tracing),
    createApiAdapter(settings),
    { logger: new NestLogger(logger), abortOnError: false, bodyParser: false },
  );
  app.get(HttpDoor).install(app, settings.http, logger);
  return app;
}
