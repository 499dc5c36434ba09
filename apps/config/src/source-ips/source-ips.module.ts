import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { SourceSettings } from './source-settings.js';
import { SourceIpsController } from './source-ips.controller.js';

/** Where deliveries come from, for receivers' firewalls. */
@Module({
  imports: [SettingsModule.forFeature(SourceSettings)],
  controllers: [SourceIpsController],
})
export class SourceIpsModule {}
