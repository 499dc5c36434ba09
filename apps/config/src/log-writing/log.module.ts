import { Module } from '@nestjs/common';
import { Broker, BrokerServer, IntakeHold, ParkedMessages, QUEUES } from '@form-webhooks/broker';
import { DataSource, DeliveryLogWriter, EndpointSwitchOff, LogPartitions } from '@form-webhooks/storage';
import type { Logger } from '@form-webhooks/telemetry';
import { LOGGER } from '../tokens.js';
import { DeliveriesController } from '../deliveries/deliveries.controller.js';
import { DeliveryLogController } from './delivery-log.controller.js';
import { DeliveryLog } from '../deliveries/delivery-log.js';
import { DeliveryStats } from '../statistics/delivery-stats.js';
import { ErasureFinisher } from '../erasure/erasure-finisher.js';
import { Erasure } from '../erasure/erasure.js';
import { FencedQueues } from '../reconciler/fenced-queues.js';
import { LogMetrics } from './log-metrics.js';
import { LogSettings } from './log-settings.js';
import { LogPartitionKeeper } from '../retention/log-partition-keeper.js';
import { LostDeliveries } from '../reconciler/lost-deliveries.js';
import { ParkedCopies } from '../parked/parked-copies.js';
import { ParkedReview } from '../parked/parked-review.js';
import { PayloadViews } from '../deliveries/payload-views.js';
import { Reconciler } from '../reconciler/reconciler.js';
import { ReplayJobs } from '../replays/replay-jobs.js';
import { ReplayRunner } from '../replays/replay-runner.js';
import { Replay } from '../replays/replay.js';
import { ReplaysController } from '../replays/replays.controller.js';
import { RetentionSettings } from '../retention/retention-settings.js';
import { RetryUntilWritten } from './retry-until-written.js';
import { StatsController } from '../statistics/stats.controller.js';
import { SubmissionsController } from '../erasure/submissions.controller.js';

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
    PayloadViews,
    Reconciler,
    Replay,
    ReplayJobs,
    ReplayRunner,
    RetryUntilWritten,
    {
      provide: ParkedReview,
      inject: [Broker, DataSource],
      useFactory: (broker: Broker, dataSource: DataSource) => new ParkedReview(new ParkedMessages(broker), dataSource),
    },
    {
      provide: IntakeHold,
      inject: [BrokerServer, LOGGER],
      useFactory: (server: BrokerServer, logger: Logger) => new IntakeHold(server, [QUEUES.deliveryLog], logger),
    },
    {
      provide: LogPartitions,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new LogPartitions(dataSource),
    },
    {
      provide: DeliveryLogWriter,
      inject: [DataSource, LogPartitions, EndpointSwitchOff, RetentionSettings, LogSettings, LogMetrics],
      useFactory: createWriter,
    },
  ],
})
export class LogModule {}
