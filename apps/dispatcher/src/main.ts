import 'reflect-metadata';
import { describeSettings, loadSettingsOrExit } from '@form-webhooks/settings';
import { createLogger, runService } from '@form-webhooks/telemetry';
import { startDispatcher } from './start.js';
import { DispatcherSettings } from './settings.js';

const settings = loadSettingsOrExit('dispatcher', DispatcherSettings);
const logger = createLogger({ app: 'dispatcher', level: settings.logging.level });
logger.info({ settings: describeSettings(settings) }, 'starting');
await runService(logger, () => startDispatcher(settings, logger));
