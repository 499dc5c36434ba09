import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { standingRungs } from '@form-webhooks/domain';
import { Broker, BrokerServer, EXCHANGES, QUEUES } from '@form-webhooks/broker';
import { decodeConfigChange } from '@form-webhooks/messages';
import { assertSafeEnvironment } from '@form-webhooks/sender';
import { describeSettings, loadSettings } from '@form-webhooks/settings';
import { createLogger, HealthServer, Metrics, NestLogger } from '@form-webhooks/telemetry';
import { DispatcherModule } from './dispatcher.module.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { FlowGate } from './flow-gate.js';
import { createSender } from './sender.js';
import { DispatcherSettings } from './settings.js';

assertSafeEnvironment(process.env);
const settings = loadSettings(DispatcherSettings, process.env);
const logger = createLogger({ app: 'dispatcher', level: settings.logLevel });
logger.info(describeSettings(settings), 'starting');

const metrics = new Metrics('dispatcher');
const broker = new Broker({
  url: settings.rabbitmqUrl,
  name: 'dispatcher',
  logger,
  sharedRungsMs: standingRungs(settings.retrySchedule),
  // A retry published twice could be attempted twice, by two dispatchers.
  publisherLimits: { waitsWhileBlocked: true },
});
const strategy = new BrokerServer(broker, {
  prefetch: {
    [QUEUES.deliveries]: settings.concurrency,
    [QUEUES.due]: settings.concurrency,
    [QUEUES.events]: 200,
  },
});
const health = new HealthServer({
  host: settings.healthHost,
  port: settings.healthPort,
  metrics,
  readiness: () => {
    const checks = { publishing: broker.status().publishing, consuming: strategy.healthy };
    return { ready: Object.values(checks).every(Boolean), checks };
  },
});
await health.start();

const stopping = new AbortController();
const sender = createSender(settings, metrics, logger);
const app = await NestFactory.createMicroservice(
  DispatcherModule.with({ settings, logger, metrics, broker, sender, stopping: stopping.signal }),
  { strategy, logger: new NestLogger(logger), abortOnError: false },
);

const gate = app.get(FlowGate);
const intake = [QUEUES.events, QUEUES.deliveries, QUEUES.due];
gate.control({
  pause: async () => void (await Promise.all(intake.map((queue) => strategy.pause(queue)))),
  resume: async () => void (await Promise.all(intake.map((queue) => strategy.resume(queue)))),
});
const BLOCKED = 'the broker blocks publishing';
broker.publishing.onBlocked((blocked) => (blocked ? gate.close(BLOCKED, 'work') : gate.lift(BLOCKED)));

const directory = app.get(EndpointDirectory);
broker.subscribe(
  EXCHANGES.configChanges,
  (body) => {
    const change = decodeConfigChange(body);
    if (change.kind === 'form') directory.drop(change.form_id);
  },
  () => directory.dropAll(),
);

await app.listen();
await broker.start();
logger.info({}, 'started');

let stop: Promise<void> | undefined;
const onSignal = (signal: NodeJS.Signals): void => {
  stop ??= shutDown(signal);
};
process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);

/** No new work, finish what is in flight, hand the rest back; attempts that take too long are aborted and retried. */
async function shutDown(signal: NodeJS.Signals): Promise<void> {
  logger.info({ signal }, 'stopping');
  const drained = strategy.close();
  const inTime = await Promise.race([drained.then(() => true), delay(settings.stopTimeoutMs, false)]);
  if (!inTime) {
    logger.warn({}, 'attempts still in flight are aborted; they are retried');
    stopping.abort();
    await Promise.race([drained, delay(settings.stopTimeoutMs)]);
  }
  await app.close();
  sender.close();
  await broker.close();
  await health.stop();
  logger.info({}, 'stopped');
  process.exit(0);
}
