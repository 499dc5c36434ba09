import { CacheSettings, SettingsModule } from '@form-webhooks/settings';
import { ClockComparison, LOGGER, Metrics, TelemetryModule, type Logger } from '@form-webhooks/telemetry';
import { Module } from '@nestjs/common';
import { IngestBrokerModule } from '../broker.module.js';
import { ClockModule } from '../clock.module.js';
import { Clock } from '../clock.js';
import { AccessSettings } from './access-settings.js';
import { CallerCheck } from './caller-check.js';
import { ConfigKeySource } from './config-key-source.js';
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

/** Too old at once, or of a day that the log has no room for: what is accepted has its moment for good. */
const createClockComparison = (metrics: Metrics, logger: Logger, clock: Clock): ClockComparison =>
  new ClockComparison(metrics, logger, 'accepted events get wrong moments', clock);

/** Whether a caller may send events. */
@Module({
  imports: [SettingsModule.forFeature(AccessSettings, CacheSettings), TelemetryModule, ClockModule, IngestBrokerModule],
  providers: [
    KeyChanges,
    { provide: ClockComparison, inject: [Metrics, LOGGER, Clock], useFactory: createClockComparison },
    { provide: KeySource, useClass: ConfigKeySource },
    { provide: KeyDirectory, inject: [KeySource, AccessSettings, CacheSettings, Clock], useFactory: createDirectory },
    { provide: CallerCheck, inject: [KeyDirectory, AccessSettings, Clock], useFactory: createCallerCheck },
  ],
  exports: [CallerCheck],
})
export class AccessModule {}
