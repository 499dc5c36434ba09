import { escapeUnprintable, inTime, rfc3339 } from '@form-webhooks/domain';
import { pino, type LogFn, type Logger, type LoggerOptions as PinoOptions } from 'pino';
import { eventNameOf } from './event-name.js';
import { LogOutput } from './log-output.js';
import { factsAndText, PlainLines } from './plain-lines.js';
import { removeContents } from './remove-contents.js';
import { REPLICA, VERSION } from '../replica.js';

export type { Logger } from 'pino';

const STANDARD_OUTPUT = 1;
const WRITTEN_WITHIN_MS = 1_000;

/** Where lines go. */
export interface LogDestination {
  /** @param urgent of a line that a person has to see: it may be the process's last */
  write(line: string, urgent?: boolean): void;
  /** Calls back once the lines so far are written. */
  flush?(done: () => void): void;
}

/** A logger is an interface, so it is injected by this: `@Inject(LOGGER) private readonly logger: Logger`. */
export const LOGGER = Symbol('logger');

export interface LoggerOptions {
  /** The service's name, on every line. */
  readonly app: string;
  readonly level: string;
}

/**
 * JSON lines on standard output, each with the service, its replica and version and the name of what happened. Lines
 * carry ids, never payloads, secrets, signatures or full URLs; what removes contents is the second layer, for an object
 * that someone logs whole by mistake. Whatever in a line could steer a terminal or change the order of reading is escaped.
 */
export function createLogger(
  { app, level }: LoggerOptions,
  output: LogDestination = new LogOutput(STANDARD_OUTPUT, aboutService(app)),
): Logger {
  const plainLines = new PlainLines(aboutService(app));
  const options: PinoOptions = {
    level,
    base: aboutService(app),
    hooks: {
      logMethod(args: unknown[], method, number) {
        // A logger that was made of this one says more on its lines.
        const line = this === logger ? plainLines.lineOf(number, args) : undefined;
        if (line === undefined) nameTheEvent(this, args, method);
        else output.write(line, isUrgent(number));
      },
    },
    timestamp: () => `,"time":"${rfc3339(Date.now())}"`,
    formatters: { level: (label: string) => ({ level: label }), log: removeContents },
    serializers: { err: errorFacts },
  };
  const logger = pino(options, {
    [WITH_LEVEL]: true,
    lastLevel: 0,
    write(line: string) {
      // JSON has escaped C0 already; the line's own end is the only one left.
      output.write(`${escapeUnprintable(line.trimEnd())}\n`, isUrgent(this.lastLevel));
    },
    ...(output.flush && { flush: (done: () => void) => output.flush!(done) }),
  } as LeveledDestination);
  return logger;
}

/** Warnings, errors and what ends a service. */
const isUrgent = (level: number): boolean => level >= pino.levels.values['warn']!;

/** pino then says the level of a line before it is written. */
const WITH_LEVEL = Symbol.for('pino.metadata');

interface LeveledDestination {
  readonly [WITH_LEVEL]: true;
  lastLevel: number;
  write(line: string): void;
}

/** What every line says of the service. */
const aboutService = (app: string) => ({ app, replica: REPLICA, version: VERSION });

/** Waits until the lines so far are written. @returns false if they are not within a second: nobody reads them */
export const logWritten = (logger: Logger): Promise<boolean> =>
  inTime(new Promise<void>((resolve) => logger.flush(() => resolve())), WRITTEN_WITHIN_MS);

/** Adds the name to what a line says of itself; a line without facts gets them by this. */
function nameTheEvent(logger: Logger, args: readonly unknown[], method: LogFn): void {
  const [facts, text] = factsAndText(args);
  const told: { event_name?: string } = facts instanceof Error ? { err: facts } : facts;
  // What is spread first is copied as a whole, and what a spread comes after member by member.
  method.call(logger, { ...told, event_name: told.event_name ?? eventNameOf(text) }, text as string);
}

/** What is logged of an error: those of amqplib and of HTTP clients can carry whole requests, not for a log. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error).slice(0, 512);
  const { code } = error as { code?: unknown };
  return { type: error.name, message: error.message.slice(0, 512), code, stack: error.stack?.slice(0, 2_048) };
}
