import 'reflect-metadata';
import { describeSettings, loadSettings } from '@form-webhooks/settings';
import { createLogger } from '@form-webhooks/telemetry';
import { startIngest } from './ingest.js';
import { IngestSettings } from './settings.js';

const settings = loadSettings(IngestSettings, process.env);
const logger = createLogger({ app: 'ingest', level: settings.logLevel });
logger.info({ settings: describeSettings(settings) }, 'ingest starts');
const ingest = await startIngest(settings, logger);
logger.info({ url: ingest.url, health: ingest.healthUrl }, 'ingest is ready to take events');

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'ingest stops');
    ingest.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'ingest did not stop cleanly');
        process.exit(1);
      },
    );
  });
}
