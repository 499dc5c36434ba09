import { escapeUnprintable } from '@form-webhooks/domain';
import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** A logger is an interface, so it is injected by this: `@Inject(LOGGER) private readonly logger: Logger`. */
export const LOGGER = Symbol('logger');

export interface LoggerOptions {
  /** The service's name, on every line. */
  readonly app: string;
  readonly level: string;
}

/**
 * JSON lines on standard output. Lines carry ids, never payloads, secrets, signatures or full URLs; the redaction
 * below is the second layer, for an object that someone logs whole by mistake. Whatever in a line could steer a terminal
 * or change the order of reading is escaped.
 */
export function createLogger({ app, level }: LoggerOptions, output: DestinationStream = pino.destination(1)): Logger {
  const options = {
    level,
    base: { app },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: ['headers', '*.headers', 'body', '*.body', 'secret', '*.secret', 'options', '*.options'],
      censor: '[removed]',
    },
    serializers: { err: errorFacts },
  };
  // JSON has escaped C0 already; the line's own end is the only one left.
  return pino(options, { write: (line) => output.write(`${escapeUnprintable(line.trimEnd())}\n`) });
}

/** What is logged of an error: those of amqplib and of HTTP clients can carry whole requests, not for a log. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error).slice(0, 512);
  const { code } = error as { code?: unknown };
  return { type: error.name, message: error.message.slice(0, 512), code, stack: error.stack?.slice(0, 2_048) };
}
