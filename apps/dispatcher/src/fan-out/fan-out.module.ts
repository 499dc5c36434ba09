import { Module } from '@nestjs/common';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { EndpointDirectory } from '../endpoints/endpoint-directory.js';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { IntakeModule } from '../intake/intake.module.js';
import { PublishModule } from '../publish/publish.module.js';
import { RecordModule } from '../record/record.module.js';
import { RepeatsModule } from '../repeats/repeats.module.js';
import { EventsController } from './events.controller.js';
import { FanOutReport } from './fan-out-report.js';
import { EventFormLookup, FanOut } from './fan-out.js';

/** An event becomes deliveries. */
@Module({
  imports: [TelemetryModule, EndpointsModule, IntakeModule, PublishModule, RecordModule, RepeatsModule],
  controllers: [EventsController],
  providers: [FanOut, FanOutReport, { provide: EventFormLookup, useExisting: EndpointDirectory }],
})
export class FanOutModule {}
