import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { ChangesModule } from '../changes/changes.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { NoticeSenderModule } from '../live/notice-sender.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { ConfigSettings } from '../settings.js';
import { ReplayJobs } from './replay-jobs.js';
import { ReplaySettings } from './replay-settings.js';
import { ReplayRunner } from './replay-runner.js';
import { Replay } from './replay.js';
import { ReplaysController } from './replays.controller.js';

/** Sending again what a person asks for: one delivery at once, or all that match a filter in the background. */
@Module({
  imports: [
    SettingsModule.forFeature(ConfigSettings, ReplaySettings),
    TelemetryModule,
    DatabaseModule,
    ChangesModule,
    OutboxModule,
    NoticeSenderModule,
  ],
  controllers: [ReplaysController],
  providers: [Replay, ReplayJobs, ReplayRunner],
  exports: [Replay],
})
export class ReplaysModule {}
