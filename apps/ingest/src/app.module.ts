import { HealthSettings, SettingsModule } from '@form-webhooks/settings';
import { HealthModule, TelemetryModule, type HealthOptions, type Logger, type Tracing } from '@form-webhooks/telemetry';
import { Module, type DynamicModule } from '@nestjs/common';
import { IngestBrokerModule } from './broker.module.js';
import { ApiModule } from './http/api.module.js';
import { FormEventsModule } from './queue/form-events.module.js';
import { IngestReadiness } from './readiness.js';
import type { IngestSettings } from './settings.js';

const health = HealthModule.forRootAsync({
  imports: [SettingsModule.forFeature(HealthSettings), IngestBrokerModule],
  inject: [HealthSettings, IngestReadiness],
  provideInjectionTokensFrom: [IngestReadiness],
  useFactory: ({ host, port }: HealthSettings, readiness: IngestReadiness): HealthOptions => ({
    host,
    port,
    readiness,
  }),
});

/** Ingest's two doors; each imports the use case that it ends in. */
@Module({ imports: [health, ApiModule, FormEventsModule] })
export class AppModule {
  static forRoot(settings: IngestSettings, logger: Logger, tracing?: Tracing): DynamicModule {
    const given = [SettingsModule.forRoot(settings), TelemetryModule.forRoot('ingest', logger, tracing)];
    return { module: AppModule, imports: given };
  }
}
