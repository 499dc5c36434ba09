import type { AddressInfo } from 'node:net';
import { Broker, BrokerServer, EXCHANGES, IntakeHold, QUEUES } from '@form-webhooks/broker';
import { closeWithin, hostInUrl } from '@form-webhooks/http-edge';
import { decodeConfigChange } from '@form-webhooks/messages';
import { HealthServer, Metrics, NestLogger, type Logger } from '@form-webhooks/telemetry';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createCallers } from './access/callers.js';
import { SystemClock } from './clock.js';
import { EventLimits } from './accept/event-limits.js';
import { Capacity } from './http/capacity.js';
import { createAdapter, HttpDoor } from './http/http-door.js';
import { ProblemFilter } from './http/problem-filter.js';
import { IngestMetrics } from './ingest-metrics.js';
import { IngestModule } from './ingest.module.js';
import { BrokerEventQueue } from './queue/broker-event-queue.js';
import { ConfigKeySource } from './queue/config-key-source.js';
import { RetryUntilAccepted } from './queue/retry-until-accepted.js';
import type { IngestSettings } from './settings.js';

/** The service while it runs. */
export interface RunningIngest {
  readonly url: string;
  readonly healthUrl: string;
  /** Takes no new work, ends what is in flight, hands the rest back. Harmless when repeated. */
  stop(): Promise<void>;
}

const clock = new SystemClock();

/** Composes the service and opens its doors. It serves before the broker is there, and says 503 until then. */
export async function startIngest(settings: IngestSettings, logger: Logger): Promise<RunningIngest> {
  const { confirmTimeoutMs, formEventsPrefetch } = settings.queue;
  const broker = new Broker({
    url: settings.broker.url,
    name: 'ingest',
    logger,
    publisherLimits: { turnTimeoutMs: confirmTimeoutMs, confirmTimeoutMs },
  });
  const server = new BrokerServer(broker, { prefetch: { [QUEUES.formEvents]: formEventsPrefetch } });
  const metrics = new Metrics('ingest');
  const health = new HealthServer({
    ...settings.health,
    metrics,
    readiness: { checks: () => readinessOf(broker, server) },
  });
  const intake = new IntakeHold(server, [QUEUES.formEvents], logger);
  const retries = new RetryUntilAccepted(intake);
  const app = await createApp({ settings, logger, broker, retries, metrics: new IngestMetrics(metrics) });
  app.connectMicroservice({ strategy: server }, { inheritAppConfig: false });
  const healthUrl = await health.start();
  await app.startAllMicroservices();
  await broker.start();
  await app.listen(settings.http.port, settings.http.host);
  const { port } = app.getHttpServer().address() as AddressInfo;
  const stop = async (): Promise<void> => {
    intake.stop();
    await closeWithin(app, settings.stopTimeoutMs);
    await broker.close();
    await health.stop();
  };
  let stopped: Promise<void> | undefined;
  return {
    url: `http://${hostInUrl(settings.http.host)}:${port}`,
    healthUrl,
    stop: () => (stopped ??= stop()),
  };
}

interface Composition {
  readonly settings: IngestSettings;
  readonly logger: Logger;
  readonly broker: Broker;
  readonly retries: RetryUntilAccepted;
  readonly metrics: IngestMetrics;
}

async function createApp({ settings, logger, broker, retries, metrics }: Composition): Promise<NestFastifyApplication> {
  const doorOptions = {
    maxEventBytes: settings.events.maxBytes,
    requestTimeoutMs: settings.requests.timeoutMs,
    trustedProxies: settings.http.trustedProxies,
  };
  const limits = new EventLimits(settings.events.maxBytes);
  const queue = new BrokerEventQueue(broker.publisher, settings.queue.confirmTimeoutMs);
  broker.publishing.addStep(async () => queue.forgetConfirms());
  const module = IngestModule.of({ queue, clock, metrics, retries, limits });
  const app = await NestFactory.create<NestFastifyApplication>(module, createAdapter(doorOptions), {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new ProblemFilter(logger, metrics, settings.events.maxBytes));
  const source = new ConfigKeySource(broker, settings.access.configTimeoutMs, logger);
  const callers = createCallers(settings.access, settings.cache.maxAgeMs, source, clock);
  broker.subscribe(
    EXCHANGES.configChanges,
    (body) => callers.keys.hear(decodeConfigChange(body)),
    () => callers.keys.reset(),
  );
  const capacity = new Capacity(settings.requests.inFlight, settings.requests.bytesInFlight);
  await new HttpDoor(callers.check, capacity, metrics, doorOptions).install(app);
  return app;
}

function readinessOf(broker: Broker, server: BrokerServer) {
  const { publishing, blocked } = broker.status();
  return { publishing: publishing && !blocked, consuming: server.healthy };
}
