import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { AccessModule } from '../access/access.module.js';
import { RpcDatabaseModule } from '../database/database.module.js';
import { ConfigSettings } from '../settings.js';
import { ConfigRpcController } from './config-rpc.controller.js';
import { KeyAnswers } from './key-answers.js';

/** What the other services ask over the broker. */
@Module({
  imports: [SettingsModule.forFeature(ConfigSettings), RpcDatabaseModule, AccessModule],
  controllers: [ConfigRpcController],
  providers: [KeyAnswers],
})
export class RpcModule {}
