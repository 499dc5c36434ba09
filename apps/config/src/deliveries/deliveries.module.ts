import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { ChangesModule } from '../changes/changes.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { ReplaysModule } from '../replays/replays.module.js';
import { LogReadsModule } from '../in-flight/log-reads.module.js';
import { ConfigSettings } from '../settings.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveryLog } from './delivery-log.js';
import { DeliveryTotals } from './delivery-totals.js';
import { PayloadViews } from './payload-views.js';

/** The delivery log as the API shows it. */
@Module({
  imports: [SettingsModule.forFeature(ConfigSettings), DatabaseModule, LogReadsModule, ChangesModule, ReplaysModule],
  controllers: [DeliveriesController],
  providers: [DeliveryLog, DeliveryTotals, PayloadViews],
})
export class DeliveriesModule {}
