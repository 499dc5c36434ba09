import {
  BrokerSettings,
  CacheSettings,
  HealthSettings,
  HttpSettings,
  LoggingSettings,
  Section,
  StopTimeout,
  TracingSettings,
} from '@form-webhooks/settings';
import { EventSettings } from './accept/event-settings.js';
import { AccessSettings } from './access/access-settings.js';
import { RequestSettings } from './http/request-settings.js';
import { QueueSettings } from './queue/queue-settings.js';

/** What ingest reads from the environment. */
export class IngestSettings {
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
  readonly events: EventSettings;

  @Section()
  readonly requests: RequestSettings;

  @Section()
  readonly access: AccessSettings;

  @Section()
  readonly cache: CacheSettings;

  @Section()
  readonly queue: QueueSettings;

  @StopTimeout('how long requests in flight may take to end when the service stops, up to 5m', '10s')
  readonly stopTimeoutMs: number;
}
