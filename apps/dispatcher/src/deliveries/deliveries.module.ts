import { Module } from '@nestjs/common';
import { AttemptModule } from '../attempt/attempt.module.js';
import { DispatcherBrokerModule } from '../broker.module.js';
import { FirstAttemptModule } from '../first-attempt/first-attempt.module.js';
import { IntakeModule } from '../intake/intake.module.js';
import { PublishModule } from '../publish/publish.module.js';
import { RetryModule } from '../retry/retry.module.js';
import { DeliveriesController } from './deliveries.controller.js';

/** Deliveries that have a message of their own. */
@Module({
  imports: [DispatcherBrokerModule, AttemptModule, FirstAttemptModule, IntakeModule, PublishModule, RetryModule],
  controllers: [DeliveriesController],
})
export class DeliveriesModule {}
