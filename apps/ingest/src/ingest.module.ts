import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { AcceptEvent, EventQueue } from './accept/accept-event.js';
import { Clock } from './clock.js';
import { EventLimits } from './accept/event-limits.js';
import { EventsController } from './http/events.controller.js';
import { IngestMetrics } from './ingest-metrics.js';
import { FormEventsController } from './queue/form-events.controller.js';
import { RetryUntilAccepted } from './queue/retry-until-accepted.js';

/** What the doors and the use case need from outside. */
export interface IngestParts {
  readonly queue: EventQueue;
  readonly clock: Clock;
  readonly metrics: IngestMetrics;
  readonly retries: RetryUntilAccepted;
  readonly limits: EventLimits;
}

/** Binds two doors to one use case. */
@Module({})
export class IngestModule {
  static of(parts: IngestParts): DynamicModule {
    const providers: Provider[] = [
      AcceptEvent,
      { provide: EventQueue, useValue: parts.queue },
      { provide: Clock, useValue: parts.clock },
      { provide: IngestMetrics, useValue: parts.metrics },
      { provide: RetryUntilAccepted, useValue: parts.retries },
      { provide: EventLimits, useValue: parts.limits },
    ];
    return { module: IngestModule, controllers: [EventsController, FormEventsController], providers };
  }
}
