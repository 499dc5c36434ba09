import { asDuration } from '../parsers.js';
import { Setting } from '../setting.js';

/** How a service keeps what config has told it. */
export class CacheSettings {
  @Setting({
    env: 'CACHE_MAX_AGE',
    meaning:
      "how long config's answer about a key or a form's endpoints is used without asking again, while config answers; " +
      '100ms to 1h',
    default: '60s',
    parse: asDuration(100, 3_600_000),
  })
  readonly maxAgeMs: number;
}
