import { asInteger, asOneOf, asUrls } from './parsers.js';
import { Setting } from './setting.js';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What every service needs. */
export class ServiceSettings {
  @Setting({
    env: 'RABBITMQ_URL',
    meaning: 'the broker, such as amqp://user:password@host:5672; several nodes of a cluster separated by commas',
    parse: asUrls('amqp', 'amqps'),
    secret: true,
  })
  rabbitmqUrl: string;

  @Setting({ env: 'HEALTH_HOST', meaning: 'the address on which health and metrics are served', default: '127.0.0.1' })
  healthHost: string;

  @Setting({
    env: 'HEALTH_PORT',
    meaning: 'the port on which health and metrics are served; 0 takes a free one',
    default: '9090',
    parse: asInteger(0, 65_535),
  })
  healthPort: number;

  @Setting({
    env: 'LOG_LEVEL',
    meaning: `how much is logged: ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    parse: asOneOf(...LOG_LEVELS),
  })
  logLevel: LogLevel;
}

/** What every service with an HTTP API needs. */
export class HttpSettings extends ServiceSettings {
  @Setting({ env: 'HTTP_HOST', meaning: 'the address on which the API is served', default: '127.0.0.1' })
  httpHost: string;

  @Setting({
    env: 'HTTP_PORT',
    meaning: 'the port on which the API is served; 0 takes a free one',
    default: '8080',
    parse: asInteger(0, 65_535),
  })
  httpPort: number;
}
