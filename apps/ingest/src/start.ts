import { Broker, BrokerServer } from '@form-webhooks/broker';
import { closeWithin } from '@form-webhooks/http-edge';
import {
  HealthServer,
  NestLogger,
  startService,
  type ApiAddresses,
  type Logger,
  type RunningService,
} from '@form-webhooks/telemetry';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { createApiAdapter, HttpDoor } from './http/http-door.js';
import type { IngestSettings } from './settings.js';

/** Ingest while it runs. */
export type RunningIngest = ApiAddresses & RunningService;

/**
 * Starts ingest. It serves before the broker is there, and says 503 until then.
 * @throws if an address can't be listened on
 */
export async function startIngest(settings: IngestSettings, logger: Logger): Promise<RunningIngest> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(settings, logger),
    createApiAdapter(settings),
    { logger: new NestLogger(logger), abortOnError: false, bodyParser: false },
  );
  app.connectMicroservice({ strategy: app.get(BrokerServer) });
  await app.get(HttpDoor).install(app, settings.http, logger);
  const [health, broker] = [app.get(HealthServer), app.get(Broker)];
  return startService({
    start: async () => {
      const healthUrl = await health.start();
      await app.init();
      await app.startAllMicroservices();
      await broker.start();
      await app.listen(settings.http.port, settings.http.host);
      return { url: await app.getUrl(), healthUrl };
    },
    stop: async () => {
      await closeWithin(app, settings.stopTimeoutMs);
      await broker.close();
      await health.stop();
    },
  });
}
