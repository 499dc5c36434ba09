import type { Logger } from 'pino';
import { limitHeapGrowth } from './heap-growth.js';
import { changeLevelBySignal } from './logging/log-level.js';
import { logWritten } from './logging/logger.js';
import type { RunningService } from './start-service.js';

/**
 * Runs a service until SIGTERM or SIGINT: exit code 0 after a stop in order, 1 if it could not start or stop. A second
 * signal changes nothing; the stop has its own limits of time.
 * @param start its signal is aborted by the first of them: what it waits for without end it may give up then, with the
 * signal's reason; otherwise it is stopped once it has started
 */
export async function runService(
  logger: Logger,
  start: (ending: AbortSignal) => Promise<RunningService>,
): Promise<void> {
  let service: Promise<RunningService> | undefined;
  const ending = new AbortController();
  // What had begun is stopped by then.
  const unlessGivenUp = (error: unknown): undefined => {
    if (error !== ending.signal.reason) throw error;
  };
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (ending.signal.aborted) return;
    ending.abort();
    logger.info({ signal }, 'stopping');
    try {
      await (await service?.catch(unlessGivenUp))?.stop();
      logger.info({}, 'stopped');
      await exit(logger, 0);
    } catch (error) {
      logger.error({ err: error }, 'did not stop in order');
      await exit(logger, 1);
    }
  };
  limitHeapGrowth();
  changeLevelBySignal(logger);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name));
  try {
    service = start(ending.signal);
    const { stop: _stop, ...where } = await service;
    logger.info(where, 'started');
  } catch (error) {
    if (ending.signal.aborted) return;
    logger.fatal({ err: error }, 'can not start');
    await exit(logger, 1);
  }
}

async function exit(logger: Logger, code: number): Promise<never> {
  // An exit waits for what the system is still writing, which is for ever where nobody reads the log.
  if (!(await logWritten(logger))) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}
