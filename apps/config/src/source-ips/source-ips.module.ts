import { Module } from '@nestjs/common';
import { SettingsModule, SourceSettings } from '@form-webhooks/settings';
import { SourceIpsController } from './source-ips.controller.js';

/** Where deliveries come from, for receivers' firewalls. */
@Module({
  imports: [SettingsModule.forFeature(SourceSettings)],
  controllers: [SourceIpsController],
})
export class SourceIpsModule {}
