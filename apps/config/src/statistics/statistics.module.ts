import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { LogReadsModule } from '../in-flight/log-reads.module.js';
import { DeliveryStats } from './delivery-stats.js';
import { EndpointHealth } from './endpoint-health.js';
import { EndpointHealthController } from './endpoint-health.controller.js';
import { StatsController } from './stats.controller.js';

/** Counts and latencies of a form's deliveries. */
@Module({
  imports: [DatabaseModule, LogReadsModule],
  controllers: [StatsController, EndpointHealthController],
  providers: [DeliveryStats, EndpointHealth],
})
export class StatisticsModule {}
