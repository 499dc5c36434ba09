import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { ConfigBrokerModule } from '../broker.module.js';
import { LogDatabaseModule } from '../database/database.module.js';
import { ConfigSettings } from '../settings.js';
import { MessageRelay } from './message-relay.js';
import { OutboxMetrics } from './outbox-metrics.js';
import { OutboxPublisher } from './outbox-publisher.js';
import { OutboxRelay } from './outbox-relay.js';

/** What transactions leave behind to be published. */
@Module({
  imports: [SettingsModule.forFeature(ConfigSettings), TelemetryModule, LogDatabaseModule, ConfigBrokerModule],
  providers: [MessageRelay, OutboxMetrics, OutboxPublisher, OutboxRelay],
  exports: [OutboxPublisher, OutboxRelay],
})
export class OutboxModule {}
