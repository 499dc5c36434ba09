import { Broker } from '@form-webhooks/broker';
import {
  HealthServer,
  startService,
  startTracing,
  stopInTime,
  type Logger,
  type RunningService,
} from '@form-webhooks/telemetry';
import { AttemptDrain } from './attempt/attempt-drain.js';
import { createApp } from './create-app.js';
import type { DispatcherSettings } from './settings.js';

/** For what the app itself takes once its attempts are over, ms. */
const APP_ENDS_WITHIN_MS = 5_000;
/** Longer than the limits of `Broker.close`, ms. */
const BROKER_ENDS_WITHIN_MS = 25_000;

/** The dispatcher while it runs. */
export type RunningDispatcher = RunningService;

/**
 * Starts the dispatcher: it connects to the broker in the background, and readiness tells when it works.
 * @throws if the sender can't be made as configured, or the address of health can't be listened on
 */
export async function startDispatcher(settings: DispatcherSettings, logger: Logger): Promise<RunningDispatcher> {
  const tracing = await startTracing(settings.tracing, 'dispatcher', logger);
  const app = await createApp(settings, logger, tracing);
  const [health, broker, attempts] = [app.get(HealthServer), app.get(Broker), app.get(AttemptDrain)];
  return startService({
    start: async () => {
      const healthUrl = await health.start();
      await app.listen();
      await broker.start();
      return { healthUrl };
    },
    stop: async () => {
      await attempts.drain();
      await stopInTime(logger, 'the app', () => app.close(), APP_ENDS_WITHIN_MS);
      await broker.close();
      await tracing.stop();
      await health.stop();
    },
    stopWithinMs: 2 * settings.stopTimeoutMs + APP_ENDS_WITHIN_MS + BROKER_ENDS_WITHIN_MS,
  });
}
