import { Module, type DynamicModule } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { LOGGER, type Logger } from './logging/logger.js';
import { Metrics } from './metrics.js';
import { NO_TRACING, Tracing } from './tracing/tracing.js';

/** What a service was started with. */
class GivenTelemetry {
  constructor(
    readonly logger: Logger,
    readonly metrics: Metrics,
    readonly tracing: Tracing,
  ) {}
}

const given = (modules: ModuleRef): GivenTelemetry => modules.get(GivenTelemetry, { strict: false });

/**
 * The service's logger (by `LOGGER`), its `Metrics` and its `Tracing`, for every module that imports this; one of each in
 * a service.
 */
@Module({
  providers: [
    { provide: LOGGER, inject: [ModuleRef], useFactory: (modules: ModuleRef) => given(modules).logger },
    { provide: Metrics, inject: [ModuleRef], useFactory: (modules: ModuleRef) => given(modules).metrics },
    { provide: Tracing, inject: [ModuleRef], useFactory: (modules: ModuleRef) => given(modules).tracing },
  ],
  exports: [LOGGER, Metrics, Tracing],
})
export class TelemetryModule {
  /** For the root module alone: the values of this start. */
  static forRoot(app: string, logger: Logger, tracing: Tracing = NO_TRACING): DynamicModule {
    return {
      module: RootTelemetry,
      providers: [{ provide: GivenTelemetry, useValue: new GivenTelemetry(logger, new Metrics(app), tracing) }],
    };
  }
}

@Module({})
class RootTelemetry {}
