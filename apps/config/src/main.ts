import 'reflect-metadata';
import { describeSettings, loadSettingsOrExit } from '@form-webhooks/settings';
import { createLogger, runService } from '@form-webhooks/telemetry';
import { startConfig } from './start.js';
import { ConfigSettings } from './settings.js';

const settings = loadSettingsOrExit('config', ConfigSettings);
const logger = createLogger({ app: 'config', level: settings.logging.level });
logger.info({ settings: describeSettings(settings) }, 'starting');
await runService(logger, (ending) => startConfig(settings, logger, ending));
