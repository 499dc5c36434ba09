import { asInteger } from '../parsers.js';
import { Setting } from '../setting.js';

/** Where a service tells how it is. */
export class HealthSettings {
  @Setting({ env: 'HEALTH_HOST', meaning: 'the address on which health and metrics are served', default: '127.0.0.1' })
  readonly host: string;

  @Setting({
    env: 'HEALTH_PORT',
    meaning: 'the port on which health and metrics are served; 0 takes a free one',
    default: '9090',
    parse: asInteger(0, 65_535),
  })
  readonly port: number;
}
