import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { ChangesModule } from '../changes/changes.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { ApiSettings } from '../http/api-settings.js';
import { NoticeSenderModule } from '../live/notice-sender.module.js';
import { ApiKeysController } from './api-keys.controller.js';
import { KeyRegistry } from './key-registry.js';

/** Making, listing and revoking API keys; `AccessModule` is where they are checked. */
@Module({
  imports: [SettingsModule.forFeature(ApiSettings), DatabaseModule, ChangesModule, NoticeSenderModule],
  controllers: [ApiKeysController],
  providers: [KeyRegistry],
})
export class KeysModule {}
