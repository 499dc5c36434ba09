import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Sends what Nest says of itself through the service's logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...context: unknown[]): void {
    this.logger.debug({ context: nameOf(context) }, String(message));
  }

  warn(message: unknown, ...context: unknown[]): void {
    this.logger.warn({ context: nameOf(context) }, String(message));
  }

  debug(message: unknown, ...context: unknown[]): void {
    this.logger.debug({ context: nameOf(context) }, String(message));
  }

  verbose(message: unknown, ...context: unknown[]): void {
    this.logger.trace({ context: nameOf(context) }, String(message));
  }

  error(message: unknown, ...context: unknown[]): void {
    if (message instanceof Error) this.logger.error({ err: message, context: nameOf(context) }, message.message);
    else this.logger.error({ context: nameOf(context) }, String(message));
  }

  fatal(message: unknown, ...context: unknown[]): void {
    this.logger.fatal({ context: nameOf(context) }, String(message));
  }
}

/** Nest passes the class that speaks as the last argument. */
const nameOf = (context: unknown[]): string | undefined => {
  const last = context[context.length - 1];
  return typeof last === 'string' ? last.slice(0, 512) : undefined;
};
