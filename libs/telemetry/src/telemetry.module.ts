import { Module, type DynamicModule } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { LOGGER, type Logger } from './logger.js';
import { Metrics } from './metrics.js';

/** What a service was started with. */
class GivenTelemetry {
  constructor(
    readonly logger: Logger,
    readonly metrics: Metrics,
  ) {}
}

const given = (modules: ModuleRef): GivenTelemetry => modules.get(GivenTelemetry, { strict: false });

/** The service's logger (by `LOGGER`) and its `Metrics`, for every module that imports this; one of each in a service. */
@Module({
  providers: [
    { provide: LOGGER, inject: [ModuleRef], useFactory: (modules: ModuleRef) => given(modules).logger },
    { provide: Metrics, inject: [ModuleRef], useFactory: (modules: ModuleRef) => given(modules).metrics },
  ],
  exports: [LOGGER, Metrics],
})
export class TelemetryModule {
  /** For the root module alone: the values of this start. */
  static forRoot(app: string, logger: Logger): DynamicModule {
    return {
      module: RootTelemetry,
      providers: [{ provide: GivenTelemetry, useValue: new GivenTelemetry(logger, new Metrics(app)) }],
    };
  }
}

@Module({})
class RootTelemetry {}
