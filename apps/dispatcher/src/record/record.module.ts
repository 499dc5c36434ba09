import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { MessagePublisher } from '../publish/message-publisher.js';
import { PublishModule } from '../publish/publish.module.js';
import { DeliveryLog } from './delivery-log.js';
import { RecordLog } from './record-log.js';
import { RecordSettings } from './record-settings.js';

/** What the log is told of each step. */
@Module({
  imports: [SettingsModule.forFeature(RecordSettings), PublishModule],
  providers: [
    {
      provide: DeliveryLog,
      inject: [MessagePublisher, RecordSettings],
      useFactory: (publisher: MessagePublisher, { gatherMs }: RecordSettings) => new RecordLog(publisher, gatherMs),
    },
  ],
  exports: [DeliveryLog],
})
export class RecordModule {}
