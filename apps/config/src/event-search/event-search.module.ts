import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { ConfigBrokerModule } from '../broker.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { RetentionSettings } from '../retention/retention-settings.js';
import { BrokerSearch } from './broker-search.js';
import { EventSearchController } from './event-search.controller.js';
import { EventSearch } from './event-search.js';

/** Did an event arrive, and where is it? */
@Module({
  imports: [SettingsModule.forFeature(RetentionSettings), DatabaseModule, ConfigBrokerModule, TelemetryModule],
  controllers: [EventSearchController],
  providers: [EventSearch, BrokerSearch],
})
export class EventSearchModule {}
