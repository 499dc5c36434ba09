import { asDuration, asInteger, Setting } from '@form-webhooks/settings';

const MIB = 1024 * 1024;

/** What callers may hold of this service at a time. Sizes in bytes. */
export class InFlightSettings {
  @Setting({
    env: 'CALLS_IN_FLIGHT',
    meaning: 'API requests that one key or person may have under way at a time, in one replica',
    default: '64',
    parse: asInteger(1, 10_000),
  })
  readonly callsPerCaller: number;

  @Setting({
    env: 'ANSWER_BYTES_PER_CALLER',
    meaning: 'bytes of answers that one key or person may leave unread, in one replica; small answers always go out',
    default: String(8 * MIB),
    parse: asInteger(MIB, 1024 * MIB),
  })
  readonly bytesPerCaller: number;

  @Setting({
    env: 'ANSWER_BYTES_IN_FLIGHT',
    meaning: 'bytes of answers that all callers together may leave unread, in one replica',
    default: String(64 * MIB),
    parse: asInteger(MIB, 16 * 1024 * MIB),
  })
  readonly bytesInAll: number;

  @Setting({
    env: 'ANSWER_WRITE_TIMEOUT',
    meaning: 'how long a caller may take to read an answer before its connection is cut',
    default: '30s',
    parse: asDuration(100, 600_000),
  })
  readonly writeTimeoutMs: number;
}
