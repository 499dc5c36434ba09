import { Module } from '@nestjs/common';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { ConfigBrokerModule } from '../broker.module.js';
import { LogDatabaseModule } from '../database/database.module.js';
import { MessageRelay } from './message-relay.js';
import { OutboxMetrics } from './outbox-metrics.js';
import { OutboxPublisher } from './outbox-publisher.js';
import { OutboxRelay } from './outbox-relay.js';

/** What transactions leave behind to be published. */
@Module({
  imports: [TelemetryModule, LogDatabaseModule, ConfigBrokerModule],
  providers: [MessageRelay, OutboxMetrics, OutboxPublisher, OutboxRelay],
  exports: [OutboxPublisher, OutboxRelay],
})
export class OutboxModule {}
