import 'reflect-metadata';
import { describeSettings, loadSettingsOrExit } from '@form-webhooks/settings';
import { createLogger, runService } from '@form-webhooks/telemetry';
import { startIngest } from './start.js';
import { IngestSettings } from './settings.js';

const settings = loadSettingsOrExit('ingest', IngestSettings);
const logger = createLogger({ app: 'ingest', level: settings.logging.level });
logger.info({ settings: describeSettings(settings) }, 'starting');
await runService(logger, () => startIngest(settings, logger));
