import { IntakeHold } from '@form-webhooks/broker';
import { SettingsModule } from '@form-webhooks/settings';
import { Module, type OnModuleDestroy } from '@nestjs/common';
import { AcceptModule } from '../accept/accept.module.js';
import { EventSettings } from '../accept/event-settings.js';
import { IngestBrokerModule } from '../broker.module.js';
import { FormEventsController } from './form-events.controller.js';
import { RetryUntilAccepted } from './retry-until-accepted.js';

/** The door on the exchange `form.events`. */
@Module({
  imports: [SettingsModule.forFeature(EventSettings), IngestBrokerModule, AcceptModule],
  controllers: [FormEventsController],
  providers: [
    {
      provide: RetryUntilAccepted,
      inject: [IntakeHold],
      useFactory: (intake: IntakeHold) => new RetryUntilAccepted(intake),
    },
  ],
})
export class FormEventsModule implements OnModuleDestroy {
  constructor(private readonly intake: IntakeHold) {}

  /** What is held is handed back before the consumers are drained: they would wait for it. */
  onModuleDestroy(): void {
    this.intake.stop();
  }
}
