import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { AccessModule } from '../access/access.module.js';
import { ChangesModule } from '../changes/changes.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { NoticeSenderModule } from '../live/notice-sender.module.js';
import { DashboardSessions } from './dashboard-sessions.js';
import { DashboardSettings } from './dashboard-settings.js';
import { DashboardController } from './dashboard.controller.js';

/** The dashboard's session. Its files are served by `serveDashboard`. */
@Module({
  imports: [
    SettingsModule.forFeature(DashboardSettings),
    AccessModule,
    ChangesModule,
    DatabaseModule,
    NoticeSenderModule,
  ],
  controllers: [DashboardController],
  providers: [DashboardSessions],
})
export class DashboardModule {}
