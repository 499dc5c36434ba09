import { CacheSettings, SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { Module } from '@nestjs/common';
import { IngestBrokerModule } from '../broker.module.js';
import { ClockModule } from '../clock.module.js';
import { Clock } from '../clock.js';
import { ClockComparison } from '../queue/clock-comparison.js';
import { ConfigKeySource } from '../queue/config-key-source.js';
import { AccessSettings } from './access-settings.js';
import { CallerCheck } from './caller-check.js';
import { FailureBudget } from './failure-budget.js';
import { KeyChanges } from './key-changes.js';
import { KeyDirectory, KeySource } from './key-directory.js';
import { TokenBuckets } from './token-buckets.js';

/** How long a key that config does not know is refused without asking again, ms. */
const REFUSAL_AGE_MS = 5_000;
/** How long config is left alone after it did not answer, ms. */
const CONFIG_PAUSE_MS = 1_000;

function createDirectory(
  source: KeySource,
  { keyGraceMs }: AccessSettings,
  { maxAgeMs }: CacheSettings,
  clock: Clock,
): KeyDirectory {
  const limits = {
    maxAgeMs,
    graceMs: keyGraceMs,
    refusalAgeMs: Math.min(REFUSAL_AGE_MS, maxAgeMs),
    pauseMs: CONFIG_PAUSE_MS,
  };
  return new KeyDirectory(source, limits, clock);
}

function createCallerCheck(keys: KeyDirectory, settings: AccessSettings, clock: Clock): CallerCheck {
  const { eventsPerSecond, failedAuthPerMinute } = settings;
  const elapsed = () => clock.elapsed();
  const perKey = new TokenBuckets({ burst: eventsPerSecond, perSecond: eventsPerSecond }, elapsed);
  return new CallerCheck(keys, perKey, new FailureBudget(failedAuthPerMinute, elapsed));
}

/** Whether a caller may send events. */
@Module({
  imports: [SettingsModule.forFeature(AccessSettings, CacheSettings), TelemetryModule, ClockModule, IngestBrokerModule],
  providers: [
    KeyChanges,
    ClockComparison,
    { provide: KeySource, useClass: ConfigKeySource },
    { provide: KeyDirectory, inject: [KeySource, AccessSettings, CacheSettings, Clock], useFactory: createDirectory },
    { provide: CallerCheck, inject: [KeyDirectory, AccessSettings, Clock], useFactory: createCallerCheck },
  ],
  exports: [CallerCheck],
})
export class AccessModule {}
