import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { ConfigBrokerModule } from '../broker.module.js';
import { LogDatabaseModule } from '../database/database.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { ParkedModule } from '../parked/parked.module.js';
import { ConfigSettings } from '../settings.js';
import { FencedQueues } from './fenced-queues.js';
import { LostDeliveries } from './lost-deliveries.js';
import { ReconcilerMetrics } from './reconciler-metrics.js';
import { Reconciler } from './reconciler.js';

/** Bringing back what the broker lost. */
@Module({
  imports: [
    SettingsModule.forFeature(ConfigSettings),
    TelemetryModule,
    LogDatabaseModule,
    ConfigBrokerModule,
    OutboxModule,
    ParkedModule,
  ],
  providers: [FencedQueues, LostDeliveries, Reconciler, ReconcilerMetrics],
})
export class ReconcilerModule {}
