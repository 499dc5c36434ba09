import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { LogDatabaseModule } from '../database/database.module.js';
import { LiveController } from './live.controller.js';
import { LiveSettings } from './live-settings.js';
import { LiveStreams } from './live-streams.js';
import { NoticeListener } from './notice-listener.js';

/** Telling open pages what to read again. */
@Module({
  imports: [SettingsModule.forFeature(LiveSettings), TelemetryModule, LogDatabaseModule],
  controllers: [LiveController],
  providers: [LiveStreams, NoticeListener],
})
export class LiveModule {}
