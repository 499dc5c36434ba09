import { Inject, Injectable } from '@nestjs/common';
import type { EventMessage } from '@form-webhooks/messages';
import { LOGGER, Metrics, type Logger } from '@form-webhooks/telemetry';
import type { FanOutOutcome } from './fan-out.js';

/** Counts what became of events. */
@Injectable()
export class FanOutReport {
  private readonly events;

  constructor(
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.events = metrics.counter('webhook_events_total', 'Events by what became of them.', ['outcome']);
  }

  reportFanOut(event: EventMessage, outcome: FanOutOutcome): void {
    this.events.inc({ outcome });
    this.logger.debug({ event_id: event.eventId, form_id: event.formId, outcome }, 'event.fanned_out');
  }
}
