import { Module, type DynamicModule } from '@nestjs/common';
import { HealthSettings, SettingsModule } from '@form-webhooks/settings';
import { HealthModule, TelemetryModule, type HealthOptions, type Logger, type Tracing } from '@form-webhooks/telemetry';
import { AccessModule } from './access/access.module.js';
import { AuditModule } from './audit/audit.module.js';
import { ConfigBrokerModule } from './broker.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { ErasureModule } from './erasure/erasure.module.js';
import { EventSearchModule } from './event-search/event-search.module.js';
import { EventsModule } from './events/events.module.js';
import { FormsModule } from './forms/forms.module.js';
import { ApiModule } from './http/api.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { InFlightModule } from './in-flight/in-flight.module.js';
import { KeysModule } from './keys/keys.module.js';
import { LiveModule } from './live/live.module.js';
import { LogWritingModule } from './log-writing/log-writing.module.js';
import { MeModule } from './me/me.module.js';
import { MeasurementModule } from './measurement/measurement.module.js';
import { ConfigReadiness } from './readiness.js';
import { ReconcilerModule } from './reconciler/reconciler.module.js';
import { ReplaysModule } from './replays/replays.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { RpcModule } from './rpc/rpc.module.js';
import type { ConfigSettings } from './settings.js';
import { SourceIpsModule } from './source-ips/source-ips.module.js';
import { StatisticsModule } from './statistics/statistics.module.js';

const health = HealthModule.forRootAsync({
  imports: [SettingsModule.forFeature(HealthSettings), ConfigBrokerModule, DatabaseModule, LogWritingModule],
  inject: [HealthSettings, ConfigReadiness],
  provideInjectionTokensFrom: [ConfigReadiness],
  useFactory: ({ host, port }: HealthSettings, readiness: ConfigReadiness): HealthOptions => ({
    host,
    port,
    readiness,
  }),
});

/** Config's rooms, put together. Each has a module of its own that says what it needs. */
@Module({
  imports: [
    health,
    ApiModule,
    InFlightModule,
    AccessModule,
    IdempotencyModule,
    MeModule,
    FormsModule,
    EndpointsModule,
    KeysModule,
    AuditModule,
    DashboardModule,
    SourceIpsModule,
    EventsModule,
    EventSearchModule,
    DeliveriesModule,
    StatisticsModule,
    ReplaysModule,
    ErasureModule,
    LiveModule,
    LogWritingModule,
    RetentionModule,
    ReconcilerModule,
    RpcModule,
    MeasurementModule,
  ],
})
export class AppModule {
  static forRoot(settings: ConfigSettings, logger: Logger, tracing?: Tracing): DynamicModule {
    const given = [SettingsModule.forRoot(settings), TelemetryModule.forRoot('config', logger, tracing)];
    return { module: AppModule, imports: given };
  }
}
