import 'reflect-metadata';
import { describeSettings, loadSettings, SettingsError } from '@form-webhooks/settings';
import { createLogger } from '@form-webhooks/telemetry';
import { ConfigService } from './config-service.js';
import { ConfigSettings } from './settings.js';

const settings = readSettings();
const logger = createLogger({ app: 'config', level: settings.logLevel });
logger.info({ settings: describeSettings(settings) }, 'config starts');

const service = new ConfigService(settings, logger);
let stopping = false;

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'config stops');
    void service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'config did not stop in order');
        process.exit(1);
      },
    );
  });
}

try {
  logger.info(await service.start(), 'config is up');
} catch (error) {
  logger.fatal({ err: error }, 'config can not start');
  process.exit(1);
}

function readSettings(): Readonly<ConfigSettings> {
  try {
    return loadSettings(ConfigSettings, process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`config can not start: ${error.message}\n`);
    process.exit(2);
  }
}
