import { Module } from '@nestjs/common';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { ConfigBrokerModule } from '../broker.module.js';
import { DatabaseModule, LogDatabaseModule } from '../database/database.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { DatabaseMetrics } from './database-metrics.js';
import { LogMeasurer } from './log-measurer.js';
import { MeasurementMetrics } from './measurement-metrics.js';
import { QueueMetrics } from './queue-metrics.js';

/** The log of open deliveries, measured by one connection of the log's pool. */
@Module({
  imports: [TelemetryModule, LogDatabaseModule, RetentionModule],
  providers: [LogMeasurer, MeasurementMetrics],
})
class LogMeasurementModule {}

/** What alerts need to know that no event of this process tells: the log, the queues, the pools of connections. */
@Module({
  imports: [TelemetryModule, ConfigBrokerModule, DatabaseModule, LogMeasurementModule],
  providers: [DatabaseMetrics, QueueMetrics],
})
export class MeasurementModule {}
