import type { Logger } from '../logging/logger.js';
import { NO_TRACING, type Tracing } from './tracing.js';

/** Where spans go, and how many of them. */
export interface TracingOptions {
  /** The collector's address, to which `/v1/traces` is added; without one nothing is traced. */
  readonly endpoint?: string | undefined;
  /** Headers of its requests, such as a token. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The share of traces begun here that is kept, 0 to 1; of a caller's trace the caller decides. */
  readonly share: number;
}

/** The SDK is loaded only where it is used: it takes a fifth of a second. */
export async function startTracing(options: TracingOptions, app: string, logger: Logger): Promise<Tracing> {
  const { endpoint } = options;
  if (endpoint === undefined) return NO_TRACING;
  const { OpenTelemetryTracing } = await import('./open-telemetry-tracing.js');
  return new OpenTelemetryTracing({ ...options, endpoint }, app, logger);
}
