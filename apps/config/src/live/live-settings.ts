import { asDuration, asInteger, Setting } from '@form-webhooks/settings';

/** How many pages may be told of changes, and for how long without asking again. */
export class LiveSettings {
  @Setting({
    env: 'LIVE_STREAMS',
    meaning: 'streams of live updates that may be open at a time, in one replica; 0 lets every page poll',
    default: '5000',
    parse: asInteger(0, 100_000),
  })
  readonly inAll: number;

  @Setting({
    env: 'LIVE_STREAMS_PER_CALLER',
    meaning: 'streams of live updates that one key or person may have open at a time, in one replica',
    default: '10',
    parse: asInteger(1, 10_000),
  })
  readonly perCaller: number;

  @Setting({
    env: 'LIVE_STREAM_MAX_AGE',
    meaning: 'how long a stream of live updates lasts; then its page opens another one, and is let in anew',
    default: '15m',
    parse: asDuration(1_000, 86_400_000),
  })
  readonly maxAgeMs: number;
}
