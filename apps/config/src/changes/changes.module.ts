import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { DatabaseModule } from '../database/database.module.js';
import { PoolSettings } from '../database/database-settings.js';
import { NoticeSenderModule } from '../live/notice-sender.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { Announcements } from './announcements.js';
import { ChangeSettings } from './change-settings.js';
import { Changes } from './changes.js';

/** The one way to change something; whoever changes something imports this. */
@Module({
  imports: [
    SettingsModule.forFeature(ChangeSettings, PoolSettings),
    TelemetryModule,
    DatabaseModule,
    OutboxModule,
    NoticeSenderModule,
  ],
  providers: [Announcements, Changes],
  exports: [Changes],
})
export class ChangesModule {}
