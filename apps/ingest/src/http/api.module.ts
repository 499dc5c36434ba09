import { SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AcceptModule } from '../accept/accept.module.js';
import { EventSettings } from '../accept/event-settings.js';
import { AccessModule } from '../access/access.module.js';
import { Capacity } from './capacity.js';
import { EventsController } from './events.controller.js';
import { HttpDoor } from './http-door.js';
import { ProblemFilter } from './problem-filter.js';
import { RequestSettings } from './request-settings.js';

/** The HTTP door. */
@Module({
  imports: [SettingsModule.forFeature(EventSettings, RequestSettings), TelemetryModule, AcceptModule, AccessModule],
  controllers: [EventsController],
  providers: [
    HttpDoor,
    {
      provide: Capacity,
      inject: [RequestSettings],
      useFactory: ({ inFlight, bytesInFlight }: RequestSettings) => new Capacity(inFlight, bytesInFlight),
    },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [HttpDoor],
})
export class ApiModule {}
