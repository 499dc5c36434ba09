import type { Logger } from 'pino';
import { changeLevelBySignal } from './log-level.js';
import { logWritten } from './logger.js';
import type { RunningService } from './start-service.js';

/**
 * Runs a service until SIGTERM or SIGINT: exit code 0 after a stop in order, 1 if it could not start or stop. A second
 * signal changes nothing; the stop has its own limits of time.
 */
export async function runService(logger: Logger, start: () => Promise<RunningService>): Promise<void> {
  let service: Promise<RunningService> | undefined;
  let stopping = false;
  const end = async (code: number): Promise<never> => {
    // An exit waits for what the system is still writing, which is for ever where nobody reads the log.
    if (!(await logWritten(logger))) process.kill(process.pid, 'SIGKILL');
    process.exit(code);
  };
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    try {
      await (await service)?.stop();
      logger.info({}, 'stopped');
      await end(0);
    } catch (error) {
      logger.error({ err: error }, 'did not stop in order');
      await end(1);
    }
  };
  changeLevelBySignal(logger);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name));
  try {
    service = start();
    const { stop: _stop, ...where } = await service;
    logger.info(where, 'started');
  } catch (error) {
    if (stopping) return;
    logger.fatal({ err: error }, 'can not start');
    await end(1);
  }
}
