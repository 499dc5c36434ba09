import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { DeliveryStats } from './delivery-stats.js';
import { StatsController } from './stats.controller.js';

/** Counts and latencies of a form's deliveries. */
@Module({
  imports: [DatabaseModule],
  controllers: [StatsController],
  providers: [DeliveryStats],
})
export class StatisticsModule {}
