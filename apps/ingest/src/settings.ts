import { asDuration, asInteger, asList, HttpSettings, Setting } from '@form-webhooks/settings';

/** What ingest reads from the environment. */
export class IngestSettings extends HttpSettings {
  @Setting({
    env: 'EVENT_MAX_BYTES',
    meaning: 'how large an event may be, in bytes',
    default: '1048576',
    parse: asInteger(1_024, 1_048_576),
  })
  eventMaxBytes: number;

  @Setting({
    env: 'CACHE_MAX_AGE',
    meaning: "how long config's answer about a key is used without asking again, 100ms to 10m",
    default: '60s',
    parse: asDuration(100, 600_000),
  })
  cacheMaxAgeMs: number;

  @Setting({
    env: 'KEY_GRACE',
    meaning: 'how long a key that was good serves on while config is unreachable, up to 7d',
    default: '24h',
    parse: asDuration(0, 7 * 86_400_000),
  })
  keyGraceMs: number;

  @Setting({
    env: 'CONFIG_TIMEOUT',
    meaning: "how long config's answer about a key is waited for, 50ms to 30s",
    default: '2s',
    parse: asDuration(50, 30_000),
  })
  configTimeoutMs: number;

  @Setting({
    env: 'CONFIRM_TIMEOUT',
    meaning: "how long the broker's confirm of an event is waited for, 100ms to 60s",
    default: '5s',
    parse: asDuration(100, 60_000),
  })
  confirmTimeoutMs: number;

  @Setting({
    env: 'REQUEST_TIMEOUT',
    meaning: 'how long a whole HTTP request may take to arrive, 1s to 5m',
    default: '30s',
    parse: asDuration(1_000, 300_000),
  })
  requestTimeoutMs: number;

  @Setting({
    env: 'STOP_TIMEOUT',
    meaning: 'how long requests in flight may take to end when the service stops, up to 5m',
    default: '10s',
    parse: asDuration(0, 300_000),
  })
  stopTimeoutMs: number;

  @Setting({
    env: 'EVENTS_PER_SECOND',
    meaning: 'how many events one key may send per second, per replica; as many at once',
    default: '5000',
    parse: asInteger(1, 1_000_000),
  })
  eventsPerSecond: number;

  @Setting({
    env: 'FAILED_AUTH_PER_MINUTE',
    meaning: 'how many failed authentications one address may make per minute, per replica; as many at once',
    default: '20',
    parse: asInteger(1, 100_000),
  })
  failedAuthPerMinute: number;

  @Setting({
    env: 'REQUESTS_IN_FLIGHT',
    meaning: 'how many HTTP requests are handled at a time; more are asked to come back',
    default: '5000',
    parse: asInteger(1, 100_000),
  })
  requestsInFlight: number;

  @Setting({
    env: 'BYTES_IN_FLIGHT',
    meaning: 'how many bytes of HTTP bodies are held at a time; more are asked to come back',
    default: '134217728',
    parse: asInteger(1_048_576, 4_294_967_296),
  })
  bytesInFlight: number;

  @Setting({
    env: 'FORM_EVENTS_PREFETCH',
    meaning: 'how many messages of form.events are handled at a time, 1 to 500',
    default: '50',
    parse: asInteger(1, 500),
  })
  formEventsPrefetch: number;

  @Setting({
    env: 'TRUSTED_PROXIES',
    meaning: 'addresses or networks, separated by commas, whose X-Forwarded-For is believed',
    default: '',
    optional: true,
    parse: asList,
  })
  trustedProxies: readonly string[];
}
