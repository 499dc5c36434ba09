import { formatDuration, MAX_ADMISSION_WAIT_MS, sharedRungs } from '@form-webhooks/domain';
import {
  BrokerSettings,
  DeliverySettings,
  HeaderSettings,
  HealthSettings,
  HttpSettings,
  LoggingSettings,
  SealingSettings,
  Section,
  SourceSettings,
  TracingSettings,
  type SettingsCheck,
} from '@form-webhooks/settings';
import { AccessSettings } from './access/access-settings.js';
import { TokenSettings } from './access/tokens/token-settings.js';
import { ChangeSettings } from './changes/change-settings.js';
import { DashboardSettings } from './dashboard/dashboard-settings.js';
import { DatabaseSettings, PoolSettings, SchemaSettings } from './database/database-settings.js';
import { EndpointSettings } from './endpoints/endpoint-settings.js';
import { ErasureSettings } from './erasure/erasure-settings.js';
import { ApiSettings } from './http/api-settings.js';
import { InFlightSettings } from './in-flight/in-flight-settings.js';
import { LiveSettings } from './live/live-settings.js';
import { LogSettings } from './log-writing/log-settings.js';
import { ATTEMPTS_IN_GRACE, ReconcilerSettings } from './reconciler/reconciler-settings.js';
import { ReplaySettings } from './replays/replay-settings.js';
import { RetentionSettings } from './retention/retention-settings.js';
import { UrlCheckSettings } from './url-check/url-check-settings.js';

/** An attempt's outcome is published and confirmed after it. */
const MARGIN = 1.2;
const DAY_MS = 86_400_000;

/** What the config service reads from its environment, and what only several sections together tell. */
export class ConfigSettings {
  @Section()
  readonly broker: BrokerSettings;

  @Section()
  readonly health: HealthSettings;

  @Section()
  readonly logging: LoggingSettings;

  @Section()
  readonly tracing: TracingSettings;

  @Section()
  readonly http: HttpSettings;

  @Section()
  readonly database: DatabaseSettings;

  @Section()
  readonly pool: PoolSettings;

  @Section()
  readonly schema: SchemaSettings;

  @Section()
  readonly sealing: SealingSettings;

  @Section()
  readonly delivery: DeliverySettings;

  @Section()
  readonly headers: HeaderSettings;

  @Section()
  readonly api: ApiSettings;

  @Section()
  readonly inFlight: InFlightSettings;

  @Section()
  readonly access: AccessSettings;

  @Section()
  readonly tokens: TokenSettings;

  @Section()
  readonly dashboard: DashboardSettings;

  @Section()
  readonly endpoints: EndpointSettings;

  @Section()
  readonly urlChecks: UrlCheckSettings;

  @Section()
  readonly changes: ChangeSettings;

  @Section()
  readonly source: SourceSettings;

  @Section()
  readonly retention: RetentionSettings;

  @Section()
  readonly log: LogSettings;

  @Section()
  readonly replays: ReplaySettings;

  @Section()
  readonly reconciler: ReconcilerSettings;

  @Section()
  readonly erasure: ErasureSettings;

  @Section()
  readonly live: LiveSettings;

  /** How long after its beginning a delivery may still be waiting in a retry queue. */
  get longestDeliveryMs(): number {
    return this.delivery.maxAgeMs + Math.max(...sharedRungs(this.delivery.retrySchedule));
  }

  /** How long a delivery in a dispatcher's hands, or a batch of records, can take: a minute of the default's five. */
  get reconcileSettleMs(): number {
    const inHandMs = MAX_ADMISSION_WAIT_MS + this.delivery.attemptTimeoutMs * MARGIN;
    return Math.max(this.reconciler.graceMs / 5, inHandMs);
  }

  /**
   * How long a replica holds records that it can't write. Half of what the reconciler waits for batches in hand: the
   * other half is for the replica that gets them then, else it would take delivered deliveries for lost.
   */
  get logHoldMs(): number {
    return this.reconcileSettleMs / 2;
  }

  checks(): readonly SettingsCheck[] {
    return [() => shortGrace(this), () => shortRetention(this), () => longOwnDelay(this)];
  }
}

/** A shorter grace would take what a slow endpoint's backlog has in flight for lost, and publish it a second time. */
function shortGrace(settings: ConfigSettings): string | undefined {
  if (settings.reconciler.graceMs >= ATTEMPTS_IN_GRACE * settings.delivery.attemptTimeoutMs) return undefined;
  return `RECONCILE_GRACE must be at least ${ATTEMPTS_IN_GRACE} times ATTEMPT_TIMEOUT`;
}

/** A shorter retention would drop the rows of deliveries that are still being attempted. */
function shortRetention(settings: ConfigSettings): string | undefined {
  if (settings.retention.days * DAY_MS >= settings.longestDeliveryMs) return undefined;
  return 'LOG_RETENTION_DAYS must not be shorter than DELIVERY_MAX_AGE and the longest delay together';
}

/** A longer delay has no queue, and would end early. */
function longOwnDelay(settings: ConfigSettings): string | undefined {
  const longest = Math.max(...sharedRungs(settings.delivery.retrySchedule));
  if (settings.endpoints.maxRetryDelayMs <= longest) return undefined;
  return `ENDPOINT_RETRY_DELAY_MAX must not exceed ${formatDuration(longest)}, the longest delay of a retry`;
}
