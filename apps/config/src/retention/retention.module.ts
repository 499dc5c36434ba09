import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { DataSource, LogPartitions } from '@form-webhooks/storage';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { ChangesModule } from '../changes/changes.module.js';
import { LogDatabaseModule } from '../database/database.module.js';
import { RetentionReport } from './retention-report.js';
import { RetentionSettings } from './retention-settings.js';
import { ExpiredRows } from './expired-rows.js';
import { LogPartitionKeeper } from './log-partition-keeper.js';

/** The log's days, and dropping what is past its retention. */
@Module({
  imports: [SettingsModule.forFeature(RetentionSettings), TelemetryModule, LogDatabaseModule, ChangesModule],
  providers: [
    ExpiredRows,
    LogPartitionKeeper,
    RetentionReport,
    {
      provide: LogPartitions,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new LogPartitions(dataSource),
    },
  ],
  exports: [LogPartitions],
})
export class RetentionModule {}
