import { asDuration, asInteger, Setting } from '@form-webhooks/settings';

/** Who may send events, how many, and what holds while config can't be asked. */
export class AccessSettings {
  @Setting({
    env: 'KEY_GRACE',
    meaning: 'how long a key that was good serves on while config is unreachable, up to 7d',
    default: '24h',
    parse: asDuration(0, 7 * 86_400_000),
  })
  readonly keyGraceMs: number;

  @Setting({
    env: 'CONFIG_TIMEOUT',
    meaning: "how long config's answer about a key is waited for, 50ms to 30s",
    default: '2s',
    parse: asDuration(50, 30_000),
  })
  readonly configTimeoutMs: number;

  @Setting({
    env: 'EVENTS_PER_SECOND',
    meaning: 'how many events one key may send per second, per replica; as many at once',
    default: '5000',
    parse: asInteger(1, 1_000_000),
  })
  readonly eventsPerSecond: number;

  @Setting({
    env: 'FAILED_AUTH_PER_MINUTE',
    meaning: 'how many failed authentications one address may make per minute, per replica; as many at once',
    default: '20',
    parse: asInteger(1, 100_000),
  })
  readonly failedAuthPerMinute: number;
}
