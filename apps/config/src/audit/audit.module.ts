import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { ApiSettings } from '../http/api-settings.js';
import { LogReadsModule } from '../in-flight/log-reads.module.js';
import { AuditLogController } from './audit-log.controller.js';

/** Reading the audit log; `ChangesModule` writes it. */
@Module({
  imports: [SettingsModule.forFeature(ApiSettings), LogReadsModule],
  controllers: [AuditLogController],
})
export class AuditModule {}
