import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { HealthServer, type Readiness } from './health-server.js';
import { Metrics } from './metrics.js';
import { TelemetryModule } from './telemetry.module.js';

export interface HealthOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly readiness: Readiness;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<HealthOptions>()
  .setClassMethodName('forRoot')
  .build();

/** What `/health/ready` answers, for alerts. */
function showChecks(readiness: Readiness, metrics: Metrics): void {
  metrics.watchEach('service_check_passes', 'Whether each check of readiness passes', ['check'], () =>
    Object.entries(readiness.checks()).map(([check, passes]) => ({ labels: { check }, value: passes ? 1 : 0 })),
  );
}

/** The `HealthServer`. The start of a service starts and stops it: it must be there before the rest, and after it. */
@Module({
  imports: [TelemetryModule],
  providers: [
    {
      provide: HealthServer,
      inject: [MODULE_OPTIONS_TOKEN, Metrics],
      useFactory: (options: HealthOptions, metrics: Metrics) => {
        showChecks(options.readiness, metrics);
        return new HealthServer({ ...options, metrics });
      },
    },
  ],
  exports: [HealthServer],
})
export class HealthModule extends ConfigurableModuleClass {}
