import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Sends what Nest says of itself through the service's logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...context: unknown[]): void {
    this.logger.debug(factsOf(message, context), textOf(message));
  }

  warn(message: unknown, ...context: unknown[]): void {
    this.logger.warn(factsOf(message, context), textOf(message));
  }

  debug(message: unknown, ...context: unknown[]): void {
    this.logger.debug(factsOf(message, context), textOf(message));
  }

  verbose(message: unknown, ...context: unknown[]): void {
    this.logger.trace(factsOf(message, context), textOf(message));
  }

  error(message: unknown, ...context: unknown[]): void {
    this.logger.error(factsOf(message, context), textOf(message));
  }

  fatal(message: unknown, ...context: unknown[]): void {
    this.logger.fatal(factsOf(message, context), textOf(message));
  }
}

const LONGEST = 512;

/** What of a thrown object may be shown: its other members can be a request with a body and a key. */
const SHOWN = ['name', 'code', 'errno', 'status', 'message'];
const MOST_MEMBERS = 20;

const textOf = (message: unknown): string => {
  if (message instanceof Error) return message.message.slice(0, LONGEST);
  // Nest hands over whatever was thrown; `String` makes "[object Object]" of most of it.
  const text = typeof message === 'object' && message !== null ? outlineOf(message) : String(message);
  return text.slice(0, LONGEST);
};

/** The kind of an object and the names of its members, with the values of those that say what went wrong. */
function outlineOf(thrown: object): string {
  const members = Object.entries(thrown).slice(0, MOST_MEMBERS);
  const told = members.map(([name, value]: [string, unknown]) =>
    SHOWN.includes(name) && (typeof value === 'string' || typeof value === 'number') ? `${name}: ${value}` : name,
  );
  return `an object that is no error: { ${told.join(', ')} }`;
}

/** Nest passes the class that speaks as the last argument, and now and then the error or its stack before it. */
function factsOf(message: unknown, context: unknown[]): Record<string, unknown> {
  const name = context.at(-1);
  const error = [message, ...context].find((one) => one instanceof Error);
  return {
    event_name: 'nest',
    ...(error === undefined ? {} : { err: error }),
    ...(typeof name === 'string' ? { context: name.slice(0, LONGEST) } : {}),
  };
}
