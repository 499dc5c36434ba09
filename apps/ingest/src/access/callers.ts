import type { Clock } from '../clock.js';
import type { AccessSettings } from './access-settings.js';
import { CallerCheck } from './caller-check.js';
import { KeyDirectory, type KeySource } from './key-directory.js';
import { TokenBuckets } from './token-buckets.js';

/** How long a key that config does not know is refused without asking again, ms. */
const REFUSAL_AGE_MS = 5_000;
/** How long config is left alone after it did not answer, ms. */
const CONFIG_PAUSE_MS = 1_000;

/** The two things that decide about callers, as the settings want them. */
export function createCallers(settings: AccessSettings, maxAgeMs: number, source: KeySource, clock: Clock) {
  const keys = new KeyDirectory(
    source,
    {
      maxAgeMs,
      graceMs: settings.keyGraceMs,
      refusalAgeMs: Math.min(REFUSAL_AGE_MS, maxAgeMs),
      pauseMs: CONFIG_PAUSE_MS,
    },
    clock,
  );
  const elapsed = () => clock.elapsed();
  const { eventsPerSecond, failedAuthPerMinute } = settings;
  const perKey = new TokenBuckets({ burst: eventsPerSecond, perSecond: eventsPerSecond }, elapsed);
  const perNetwork = new TokenBuckets({ burst: failedAuthPerMinute, perSecond: failedAuthPerMinute / 60 }, elapsed);
  return { keys, check: new CallerCheck(keys, perKey, perNetwork) };
}
