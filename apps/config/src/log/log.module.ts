import { Module } from '@nestjs/common';
import { Broker, ParkedMessages } from '@form-webhooks/broker';
import { DataSource, DeliveryLogWriter, EndpointSwitchOff, LogPartitions } from '@form-webhooks/storage';
import { ConfigSettings } from '../settings.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveryLogController } from './delivery-log.controller.js';
import { DeliveryLog } from './delivery-log.js';
import { DeliveryStats } from './delivery-stats.js';
import { ErasureFinisher } from './erasure-finisher.js';
import { Erasure } from './erasure.js';
import { FencedQueues } from './fenced-queues.js';
import { LogMetrics } from './log-metrics.js';
import { LogPartitionKeeper } from './log-partition-keeper.js';
import { LostDeliveries } from './lost-deliveries.js';
import { ParkedCopies } from './parked-copies.js';
import { ParkedReview } from './parked-review.js';
import { PatientLogWriter } from './patient-log-writer.js';
import { PayloadViews } from './payload-views.js';
import { Reconciler } from './reconciler.js';
import { ReplayJobs } from './replay-jobs.js';
import { ReplayRunner } from './replay-runner.js';
import { Replay } from './replay.js';
import { ReplaysController } from './replays.controller.js';
import { StatsController } from './stats.controller.js';
import { SubmissionsController } from './submissions.controller.js';

/** Event bytes that one transaction takes at most. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

const createWriter = (
  dataSource: DataSource,
  partitions: LogPartitions,
  switchOff: EndpointSwitchOff,
  settings: ConfigSettings,
  report: LogMetrics,
): DeliveryLogWriter =>
  new DeliveryLogWriter(dataSource, partitions, switchOff, {
    retentionDays: settings.logRetentionDays,
    maxRecords: settings.logBatchRecords,
    maxBytes: MAX_BATCH_BYTES,
    maxCalls: settings.logPrefetch,
    gatherMs: settings.logGatherMs,
    report,
  });

/** The delivery log: written from the broker, read over REST, kept within its retention. */
@Module({
  controllers: [DeliveryLogController, DeliveriesController, ReplaysController, StatsController, SubmissionsController],
  providers: [
    DeliveryLog,
    DeliveryStats,
    Erasure,
    ErasureFinisher,
    LogPartitionKeeper,
    FencedQueues,
    LogMetrics,
    LostDeliveries,
    ParkedCopies,
    PatientLogWriter,
    PayloadViews,
    Reconciler,
    Replay,
    ReplayJobs,
    ReplayRunner,
    {
      provide: ParkedReview,
      inject: [Broker, DataSource],
      useFactory: (broker: Broker, dataSource: DataSource) => new ParkedReview(new ParkedMessages(broker), dataSource),
    },
    {
      provide: LogPartitions,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new LogPartitions(dataSource),
    },
    {
      provide: DeliveryLogWriter,
      inject: [DataSource, LogPartitions, EndpointSwitchOff, ConfigSettings, LogMetrics],
      useFactory: createWriter,
    },
  ],
})
export class LogModule {}
