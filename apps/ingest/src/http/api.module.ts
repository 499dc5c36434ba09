import { SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AcceptModule } from '../accept/accept.module.js';
import { EventSettings } from '../accept/event-settings.js';
import { AccessModule } from '../access/access.module.js';
import { Capacity } from './capacity.js';
import { QueueSettings } from '../queue/queue-settings.js';
import { DocumentationController } from './documentation/documentation.controller.js';
import { EventsController } from './events.controller.js';
import { HttpDoor } from './http-door.js';
import { ProblemFilter } from './problem-filter.js';
import { RequestSettings } from './request-settings.js';

/** How much longer than its body and its confirm may take a request may hold its share, ms. */
const HOLD_MARGIN_MS = 30_000;

function createCapacity(requests: RequestSettings, { confirmTimeoutMs }: QueueSettings): Capacity {
  const holdMs = requests.timeoutMs + confirmTimeoutMs + HOLD_MARGIN_MS;
  return new Capacity({ requests: requests.inFlight, bytes: requests.bytesInFlight, holdMs });
}

/** The HTTP door. */
@Module({
  imports: [
    SettingsModule.forFeature(EventSettings, RequestSettings, QueueSettings),
    TelemetryModule,
    AcceptModule,
    AccessModule,
  ],
  controllers: [EventsController, DocumentationController],
  providers: [
    HttpDoor,
    { provide: Capacity, inject: [RequestSettings, QueueSettings], useFactory: createCapacity },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [HttpDoor],
})
export class ApiModule {}
