import { Module } from '@nestjs/common';
import { DeliverySettings, SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { AttemptFirst } from '../first-attempt/attempt-first.js';
import { FirstAttemptModule } from '../first-attempt/first-attempt.module.js';
import { EndpointDirectory } from '../endpoints/endpoint-directory.js';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { IntakeModule } from '../intake/intake.module.js';
import { PublishModule } from '../publish/publish.module.js';
import { RecordModule } from '../record/record.module.js';
import { RepeatsModule } from '../repeats/repeats.module.js';
import { EventDeliveries, FirstAttempts } from './event-deliveries.js';
import { EventsController } from './events.controller.js';
import { FanOutReport } from './fan-out-report.js';
import { EventFormLookup, FanOut } from './fan-out.js';
import { RepeatedDeliveries } from './repeated-deliveries.js';
import { WaitingRoom } from './waiting-room.js';

/** An event becomes deliveries. */
@Module({
  imports: [
    SettingsModule.forFeature(DeliverySettings),
    TelemetryModule,
    FirstAttemptModule,
    EndpointsModule,
    IntakeModule,
    PublishModule,
    RecordModule,
    RepeatsModule,
  ],
  controllers: [EventsController],
  providers: [
    EventDeliveries,
    FanOut,
    FanOutReport,
    RepeatedDeliveries,
    WaitingRoom,
    { provide: EventFormLookup, useExisting: EndpointDirectory },
    { provide: FirstAttempts, useExisting: AttemptFirst },
  ],
})
export class FanOutModule {}
