import { inTime } from '@form-webhooks/domain';

/** Where a service is reached. */
export interface ServiceAddresses {
  /** Its health and metrics. */
  readonly healthUrl: string;
}

/** Where a service with an HTTP API is reached. */
export interface ApiAddresses extends ServiceAddresses {
  readonly url: string;
}

/** A service while it runs. */
export interface RunningService extends ServiceAddresses {
  /** Takes no new work, finishes what is in flight, hands the rest back. Harmless when repeated. */
  readonly stop: () => Promise<void>;
}

export interface ServiceSteps<Addresses extends ServiceAddresses> {
  /** In this order, whatever else it opens: health first, so that a slow start is seen as one. */
  start(): Promise<Addresses>;
  /** In the opposite order. It must also stop what `start` has only half done. */
  stop(): Promise<void>;
  /** How long all of `stop` may take, ms: longer than its parts, of which each has a limit of its own. */
  readonly stopWithinMs: number;
}

/**
 * Starts a service. If it can't start, what it had begun by then is stopped again. A stop that takes too long rejects:
 * the process is to end all the same, for what was unsettled comes back from the broker.
 * @throws what `start` throws
 */
export async function startService<Addresses extends ServiceAddresses>(
  steps: ServiceSteps<Addresses>,
): Promise<Addresses & RunningService> {
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= stopWithin(steps));
  try {
    return { ...(await steps.start()), stop };
  } catch (error) {
    await stop().catch((stopError: unknown) => {
      throw new AggregateError([error, stopError], 'the service could neither start nor be stopped again');
    });
    throw error;
  }
}

async function stopWithin(steps: ServiceSteps<ServiceAddresses>): Promise<void> {
  if (await inTime(steps.stop(), steps.stopWithinMs)) return;
  throw new Error(`the service did not stop within ${steps.stopWithinMs} ms`);
}
