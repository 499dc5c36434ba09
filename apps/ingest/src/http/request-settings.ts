import { asDuration, asInteger, Setting } from '@form-webhooks/settings';

/** How many HTTP requests are taken at a time, and how slow ones. */
export class RequestSettings {
  @Setting({
    env: 'REQUEST_TIMEOUT',
    meaning: 'how long a whole HTTP request may take to arrive, 1s to 5m',
    default: '30s',
    parse: asDuration(1_000, 300_000),
  })
  readonly timeoutMs: number;

  @Setting({
    env: 'REQUESTS_IN_FLIGHT',
    meaning: 'how many HTTP requests are handled at a time; more are asked to come back',
    default: '5000',
    parse: asInteger(1, 100_000),
  })
  readonly inFlight: number;

  @Setting({
    env: 'BYTES_IN_FLIGHT',
    meaning: 'how many bytes of HTTP bodies are held at a time; more are asked to come back',
    default: '134217728',
    parse: asInteger(1_048_576, 4_294_967_296),
  })
  readonly bytesInFlight: number;
}
