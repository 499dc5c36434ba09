import { inTime } from '@form-webhooks/domain';
import type { Logger } from 'pino';

/**
 * One part of a stop. If it hasn't ended within the time the stop goes on without it, and says so: a server that says
 * nothing any more must not keep the process from ending, nor the other parts from their turn.
 * @throws what the part throws in time
 */
export async function stopInTime(
  logger: Pick<Logger, 'warn' | 'debug'>,
  part: string,
  stop: () => Promise<unknown>,
  withinMs: number,
): Promise<void> {
  const stopped = stop();
  if (await inTime(stopped, withinMs)) return;
  logger.warn({ part, withinMs }, 'a part of the service did not end in time; the stop goes on without it');
  stopped.catch((error: unknown) => logger.debug({ err: error, part }, 'it failed afterwards'));
}
