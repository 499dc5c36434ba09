import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { inTime, standingRungs } from '@form-webhooks/domain';
import { Broker, BrokerServer, EXCHANGES, IntakeHold, QUEUES, type HoldReason } from '@form-webhooks/broker';
import { decodeConfigChange } from '@form-webhooks/messages';
import { HealthServer, Metrics, NestLogger, type Logger, type RunningService } from '@form-webhooks/telemetry';
import { DispatcherModule } from './dispatcher.module.js';
import { EndpointDirectory } from './endpoints/endpoint-directory.js';
import { createSender } from './sender/create-sender.js';
import type { DispatcherSettings } from './settings.js';

const EVENTS_PREFETCH = 200;
/** Longer than a broker that is only slow takes; one that is frozen is found out by its heartbeats. */
const CONFIRM_TIMEOUT_MS = 30_000;
const BLOCKED: HoldReason = { why: 'the broker blocks publishing', extent: 'work' };

/** Composes the dispatcher and starts it. It connects in the background: readiness tells when it works. */
export async function startDispatcher(settings: DispatcherSettings, logger: Logger): Promise<RunningService> {
  const metrics = new Metrics('dispatcher');
  const broker = createBroker(settings, logger);
  const { concurrency } = settings.admission;
  const server = new BrokerServer(broker, {
    prefetch: { [QUEUES.deliveries]: concurrency, [QUEUES.due]: concurrency, [QUEUES.events]: EVENTS_PREFETCH },
    // Attempts are aborted half-way, and need time for what follows from that.
    drainWithinMs: 2 * settings.stopTimeoutMs,
  });
  const health = createHealth(settings, metrics, broker, server);
  const healthUrl = await health.start();
  const aborting = new AbortController();
  const sender = createSender(settings, metrics, logger);
  const app = await NestFactory.createMicroservice(
    DispatcherModule.with({ settings, logger, metrics, broker, server, sender, stopping: aborting.signal }),
    { strategy: server, logger: new NestLogger(logger), abortOnError: false },
  );
  holdWhileBlocked(app.get(IntakeHold), broker);
  hearChanges(app, broker);
  await app.listen();
  await broker.start();
  return {
    healthUrl,
    stop: async () => {
      await drain(server, settings.stopTimeoutMs, aborting, logger);
      await app.close();
      sender.close();
      await broker.close();
      await health.stop();
    },
  };
}

function createBroker(settings: DispatcherSettings, logger: Logger): Broker {
  return new Broker({
    url: settings.broker.url,
    name: 'dispatcher',
    logger,
    sharedRungsMs: standingRungs(settings.delivery.retrySchedule),
    // A retry published twice could be attempted twice, by two dispatchers.
    publisherLimits: { waitsWhileBlocked: true, confirmTimeoutMs: CONFIRM_TIMEOUT_MS },
  });
}

function createHealth(
  settings: DispatcherSettings,
  metrics: Metrics,
  broker: Broker,
  server: BrokerServer,
): HealthServer {
  return new HealthServer({
    ...settings.health,
    metrics,
    readiness: { checks: () => ({ publishing: broker.status().publishing, consuming: server.healthy }) },
  });
}

/** While what follows from work can't be made safe, none is taken. */
function holdWhileBlocked(intake: IntakeHold, broker: Broker): void {
  broker.publishing.onBlocked((blocked) => (blocked ? void intake.hold(BLOCKED) : intake.release(BLOCKED)));
}

/** Cached endpoints are dropped when they change, and all of them whenever a change may have been missed. */
function hearChanges(app: INestMicroservice, broker: Broker): void {
  const directory = app.get(EndpointDirectory);
  broker.subscribe(
    EXCHANGES.configChanges,
    (body) => {
      const change = decodeConfigChange(body);
      if (change.kind === 'form') directory.drop(change.form_id);
    },
    () => directory.dropAll(),
  );
}

/** No new work; what is in flight is finished, or aborted and retried if that takes too long. */
async function drain(
  server: BrokerServer,
  timeoutMs: number,
  aborting: AbortController,
  logger: Logger,
): Promise<void> {
  const drained = server.close();
  if (await inTime(drained, timeoutMs)) return;
  logger.warn({}, 'attempts still in flight are aborted; they are retried');
  aborting.abort();
  await drained;
}
