import { Broker, BrokerServer } from '@form-webhooks/broker';
import {
  HealthServer,
  startService,
  startTracing,
  stopInTime,
  type ApiAddresses,
  type Logger,
  type RunningService,
} from '@form-webhooks/telemetry';
import { boundConnections, closeWithin, warnOfProxies } from '@form-webhooks/http-edge';
import { createApp } from './create-app.js';
import { serveDashboard } from './dashboard/serve-dashboard.js';
import { Database } from './database/database.js';
import { prepareApi } from './http/api-server.js';
import { serveDocumentation } from './http/openapi/documentation.js';
import type { ConfigSettings } from './settings.js';

/** For calls of the API in flight at a stop, ms; then their connections are cut. */
const CALLS_END_WITHIN_MS = 5_000;
/** For them, the records in hand and the rounds of the duties, ms. */
const APP_ENDS_WITHIN_MS = 15_000;
const DATABASE_ENDS_WITHIN_MS = 5_000;
/** The parts above and the broker's, ms. */
const STOP_WITHIN_MS = 45_000;

/** Config while it runs. */
export type RunningConfig = ApiAddresses & RunningService;

/**
 * Starts config: it connects to the broker in the background, and readiness tells when it works.
 * @param ending aborted when the process is to end: a start that waits for the migration job then ends with its reason
 * @throws if the database can't be opened or an address can't be listened on
 */
export async function startConfig(
  settings: ConfigSettings,
  logger: Logger,
  ending?: AbortSignal,
): Promise<RunningConfig> {
  const tracing = await startTracing(settings.tracing, 'config', logger);
  const app = await createApp(settings, logger, tracing);
  app.connectMicroservice({ strategy: app.get(BrokerServer) });
  prepareApi(app, settings.api);
  boundConnections(app.getHttpServer(), settings.http.maxConnections);
  warnOfProxies(app.getHttpAdapter().getInstance(), settings.http.trustedProxies, logger);
  serveDocumentation(app);
  const hasDashboard = serveDashboard(app.getHttpAdapter().getInstance(), settings.dashboard.folder);
  if (!hasDashboard) logger.info('no dashboard is served: none was built');
  const [health, database, broker] = [app.get(HealthServer), app.get(Database), app.get(Broker)];
  return startService({
    start: async () => {
      const healthUrl = await health.start();
      await database.open(ending);
      await app.init();
      await app.startAllMicroservices();
      await broker.start();
      await app.listen(settings.http.port, settings.http.host);
      return { url: await app.getUrl(), healthUrl };
    },
    stop: async () => {
      await stopInTime(logger, 'the app', () => closeWithin(app, CALLS_END_WITHIN_MS), APP_ENDS_WITHIN_MS);
      await broker.close();
      await tracing.stop();
      await stopInTime(logger, 'the database', () => database.close(), DATABASE_ENDS_WITHIN_MS);
      await health.stop();
    },
    stopWithinMs: STOP_WITHIN_MS,
  });
}
