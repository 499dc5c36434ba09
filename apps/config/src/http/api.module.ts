import { Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { InFlightModule } from '../in-flight/in-flight.module.js';
import { ApiMetrics } from './api-metrics.js';
import { ProblemFilter } from './problem-filter.js';
import { RouteTable } from './route-table.js';
import { StrictDtoPipe } from './strict-dto.pipe.js';

/** What every route has in common: input is checked against its DTO, and every error is a problem document. */
@Module({
  imports: [TelemetryModule, InFlightModule],
  providers: [
    ApiMetrics,
    RouteTable,
    { provide: APP_PIPE, useClass: StrictDtoPipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [ApiMetrics, RouteTable],
})
export class ApiModule {}
