import {
  BrokerSettings,
  CacheSettings,
  DeliverySettings,
  HeaderSettings,
  HealthSettings,
  LoggingSettings,
  SealingSettings,
  Section,
  SourceSettings,
  StopTimeout,
  TracingSettings,
  type SettingsCheck,
} from '@form-webhooks/settings';
import { AdmissionSettings } from './admission/admission-settings.js';
import { IntakeSettings } from './intake/intake-settings.js';
import { RecordSettings } from './record/record-settings.js';
import { RetrySettings } from './retry/retry-settings.js';
import { EgressSettings } from './sender/egress-settings.js';
import { RequestSettings } from './sender/request-settings.js';

/** What the dispatcher reads from the environment; durations in ms. */
export class DispatcherSettings {
  @Section()
  readonly broker: BrokerSettings;

  @Section()
  readonly health: HealthSettings;

  @Section()
  readonly logging: LoggingSettings;

  @Section()
  readonly tracing: TracingSettings;

  @Section()
  readonly sealing: SealingSettings;

  @Section()
  readonly delivery: DeliverySettings;

  @Section()
  readonly cache: CacheSettings;

  @Section()
  readonly retry: RetrySettings;

  @Section()
  readonly admission: AdmissionSettings;

  @Section()
  readonly intake: IntakeSettings;

  @Section()
  readonly records: RecordSettings;

  @Section()
  readonly requests: RequestSettings;

  @Section()
  readonly headers: HeaderSettings;

  @Section()
  readonly egress: EgressSettings;

  @Section()
  readonly source: SourceSettings;

  @StopTimeout('how long a stop waits for attempts in flight before it aborts them', '20s')
  readonly stopTimeoutMs: number;

  checks(): readonly SettingsCheck[] {
    return [
      () =>
        this.stopTimeoutMs < this.delivery.attemptTimeoutMs
          ? 'STOP_TIMEOUT must not be shorter than ATTEMPT_TIMEOUT, or a stop would cut attempts off'
          : undefined,
    ];
  }
}
