import { Module } from '@nestjs/common';
import { PublishModule } from '../publish/publish.module.js';
import { DeliveryLog } from './delivery-log.js';
import { RecordLog } from './record-log.js';

/** What the log is told of each step. */
@Module({
  imports: [PublishModule],
  providers: [{ provide: DeliveryLog, useClass: RecordLog }],
  exports: [DeliveryLog],
})
export class RecordModule {}
