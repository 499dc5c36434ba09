import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { DatabaseModule } from '../database/database.module.js';
import { ApiSettings } from '../http/api-settings.js';
import { AuditLogController } from './audit-log.controller.js';

/** Reading the audit log; `ChangesModule` writes it. */
@Module({
  imports: [SettingsModule.forFeature(ApiSettings), DatabaseModule],
  controllers: [AuditLogController],
})
export class AuditModule {}
