import type { Logger } from 'pino';

/**
 * SIGUSR2 makes a running service log as `debug` does, and the next one as it was set: whoever looks for a fault at night
 * needs no restart, which would end what is looked for.
 */
export function changeLevelBySignal(logger: Logger): void {
  const asSet = logger.level;
  process.on('SIGUSR2', () => {
    logger.level = logger.level === 'debug' ? asSet : 'debug';
    logger.warn({ level_now: logger.level }, 'the log level was changed by SIGUSR2');
  });
}
