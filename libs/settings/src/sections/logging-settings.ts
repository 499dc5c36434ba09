import { asOneOf } from '../parsers.js';
import { Setting } from '../setting.js';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What a process writes about itself; the delivery log is another thing. */
export class LoggingSettings {
  @Setting({
    env: 'LOG_LEVEL',
    meaning: `how much is logged: ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    parse: asOneOf(...LOG_LEVELS),
  })
  readonly level: LogLevel;
}
