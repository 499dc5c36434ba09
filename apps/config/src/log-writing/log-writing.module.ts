import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { DataSource, DeliveryLogWriter, EndpointSwitchOff, LogPartitions } from '@form-webhooks/storage';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { ConfigBrokerModule } from '../broker.module.js';
import { LogDatabaseModule } from '../database/database.module.js';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { NoticeSenderModule } from '../live/notice-sender.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { RetentionSettings } from '../retention/retention-settings.js';
import { ConfigSettings } from '../settings.js';
import { LogSettings } from './log-settings.js';
import { DeliveryLogController } from './delivery-log.controller.js';
import { HeldRecordsMetrics } from './held-records-metrics.js';
import { LogMetrics } from './log-metrics.js';
import { RetryUntilWritten } from './retry-until-written.js';

/** Event bytes that one transaction takes at most. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

const createWriter = (
  dataSource: DataSource,
  partitions: LogPartitions,
  switchOff: EndpointSwitchOff,
  retention: RetentionSettings,
  settings: LogSettings,
  report: LogMetrics,
): DeliveryLogWriter =>
  new DeliveryLogWriter(dataSource, partitions, switchOff, {
    retentionDays: retention.days,
    maxRecords: settings.batchRecords,
    maxBytes: MAX_BATCH_BYTES,
    maxCalls: settings.prefetch,
    gatherMs: settings.gatherMs,
    report,
  });

/** What dispatchers report, from the broker into the log. */
@Module({
  imports: [
    SettingsModule.forFeature(ConfigSettings, LogSettings, RetentionSettings),
    TelemetryModule,
    LogDatabaseModule,
    ConfigBrokerModule,
    EndpointsModule,
    RetentionModule,
    NoticeSenderModule,
  ],
  controllers: [DeliveryLogController],
  providers: [
    HeldRecordsMetrics,
    LogMetrics,
    RetryUntilWritten,
    {
      provide: DeliveryLogWriter,
      inject: [DataSource, LogPartitions, EndpointSwitchOff, RetentionSettings, LogSettings, LogMetrics],
      useFactory: createWriter,
    },
  ],
  exports: [RetryUntilWritten],
})
export class LogWritingModule {}
