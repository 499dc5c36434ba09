import { Module } from '@nestjs/common';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { DispatcherBrokerModule } from '../broker.module.js';
import { PublishModule } from '../publish/publish.module.js';
import { RecordModule } from '../record/record.module.js';
import { DeliveryFences } from './delivery-fences.js';
import { RedeliveredDue } from './redelivered-due.js';

/** Messages that come redelivered, and the reconciler's fences. */
@Module({
  imports: [TelemetryModule, DispatcherBrokerModule, PublishModule, RecordModule],
  providers: [DeliveryFences, RedeliveredDue],
  exports: [DeliveryFences, RedeliveredDue],
})
export class RetryModule {}
