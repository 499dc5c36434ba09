import { asDuration, asInteger, Setting } from '@form-webhooks/settings';

/** How much of the dispatchers' time the checks of URLs may take. */
export class UrlCheckSettings {
  @Setting({
    env: 'URL_CHECK_TIMEOUT',
    meaning: 'how long a dispatcher may take to check a URL; longer than its attempt timeout',
    default: '18s',
    parse: asDuration(100, 60_000),
  })
  readonly timeoutMs: number;

  @Setting({
    env: 'URL_CHECKS_PER_MINUTE',
    meaning: 'URLs that a workspace may have checked in a minute, over all replicas',
    default: '120',
    parse: asInteger(1, 100_000),
  })
  readonly perMinute: number;

  @Setting({
    env: 'URL_CHECKS_AT_A_TIME',
    meaning: 'URLs of one workspace that a replica has checked at a time; as many times four wait their turn',
    default: '4',
    parse: asInteger(1, 50),
  })
  readonly atATime: number;
}
