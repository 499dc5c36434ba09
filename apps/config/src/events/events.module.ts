import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { ChangesModule } from '../changes/changes.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { LogReadsModule } from '../in-flight/log-reads.module.js';
import { ConfigSettings } from '../settings.js';
import { EventLog } from './event-log.js';
import { EventsController } from './events.controller.js';
import { SendEvents } from './send-events.js';

/** Accepted events, whatever became of them, and sending them to the endpoints of now. */
@Module({
  imports: [SettingsModule.forFeature(ConfigSettings), DatabaseModule, LogReadsModule, ChangesModule],
  controllers: [EventsController],
  providers: [EventLog, SendEvents],
})
export class EventsModule {}
