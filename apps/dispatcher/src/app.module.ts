import { Module, type DynamicModule } from '@nestjs/common';
import { HealthSettings, SettingsModule } from '@form-webhooks/settings';
import { HealthModule, TelemetryModule, type HealthOptions, type Logger, type Tracing } from '@form-webhooks/telemetry';
import { DispatcherBrokerModule } from './broker.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { FanOutModule } from './fan-out/fan-out.module.js';
import { DispatcherReadiness } from './readiness.js';
import type { DispatcherSettings } from './settings.js';
import { UrlCheckModule } from './url-check/url-check.module.js';

const health = HealthModule.forRootAsync({
  imports: [SettingsModule.forFeature(HealthSettings), DispatcherBrokerModule, EndpointsModule],
  inject: [HealthSettings, DispatcherReadiness],
  provideInjectionTokensFrom: [DispatcherReadiness],
  useFactory: ({ host, port }: HealthSettings, readiness: DispatcherReadiness): HealthOptions => ({
    host,
    port,
    readiness,
  }),
});

/** The dispatcher's rooms that take messages; each imports the rooms that it needs. */
@Module({ imports: [health, FanOutModule, DeliveriesModule, UrlCheckModule] })
export class AppModule {
  static forRoot(settings: DispatcherSettings, logger: Logger, tracing?: Tracing): DynamicModule {
    const given = [SettingsModule.forRoot(settings), TelemetryModule.forRoot('dispatcher', logger, tracing)];
    return { module: AppModule, imports: given };
  }
}
