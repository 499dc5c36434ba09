import { Module } from '@nestjs/common';
import { PublishModule } from '../publish/publish.module.js';
import { RedeliveredDue } from './redelivered-due.js';

/** Messages that fell due and come redelivered. */
@Module({
  imports: [PublishModule],
  providers: [RedeliveredDue],
  exports: [RedeliveredDue],
})
export class RetryModule {}
