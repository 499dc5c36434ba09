import { Broker, BrokerServer } from '@form-webhooks/broker';
import { closeWithin } from '@form-webhooks/http-edge';
import {
  HealthServer,
  startService,
  startTracing,
  stopInTime,
  type ApiAddresses,
  type Logger,
  type RunningService,
} from '@form-webhooks/telemetry';
import { createApp } from './create-app.js';
import type { IngestSettings } from './settings.js';

/** For messages of `form.events` in hand at a stop, ms, and for what the app itself takes. */
const MESSAGES_END_WITHIN_MS = 12_000;
/** Longer than the limits of `Broker.close`, ms. */
const BROKER_ENDS_WITHIN_MS = 25_000;

/** Ingest while it runs. */
export type RunningIngest = ApiAddresses & RunningService;

/**
 * Starts ingest. It serves before the broker is there, and says 503 until then.
 * @throws if an address can't be listened on
 */
export async function startIngest(settings: IngestSettings, logger: Logger): Promise<RunningIngest> {
  const tracing = await startTracing(settings.tracing, 'ingest', logger);
  const app = await createApp(settings, logger, tracing);
  app.connectMicroservice({ strategy: app.get(BrokerServer) });
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
      const { stopTimeoutMs } = settings;
      const close = (): Promise<void> => closeWithin(app, stopTimeoutMs);
      await stopInTime(logger, 'the app', close, stopTimeoutMs + MESSAGES_END_WITHIN_MS);
      await broker.close();
      await tracing.stop();
      await health.stop();
    },
    stopWithinMs: settings.stopTimeoutMs + MESSAGES_END_WITHIN_MS + BROKER_ENDS_WITHIN_MS,
  });
}
