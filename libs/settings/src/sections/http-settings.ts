import { asInteger, asRanges } from '../parsers.js';
import { Setting } from '../setting.js';

/** Where a service with an HTTP API serves it. */
export class HttpSettings {
  @Setting({ env: 'HTTP_HOST', meaning: 'the address on which the API is served', default: '127.0.0.1' })
  readonly host: string;

  @Setting({
    env: 'HTTP_PORT',
    meaning: 'the port on which the API is served; 0 takes a free one',
    default: '8080',
    parse: asInteger(0, 65_535),
  })
  readonly port: number;

  @Setting({
    env: 'TRUSTED_PROXIES',
    meaning: 'addresses or CIDRs of proxies whose X-Forwarded-For is believed, separated by commas; none by default',
    default: '',
    parse: asRanges,
  })
  readonly trustedProxies: readonly string[];

  @Setting({
    env: 'HTTP_CONNECTIONS_MAX',
    meaning: 'how many connections to the API are open at a time, per replica; more are dropped',
    default: '10000',
    parse: asInteger(10, 1_000_000),
  })
  readonly maxConnections: number;
}
