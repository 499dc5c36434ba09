import { Inject, Injectable } from '@nestjs/common';
import { isBulk, QUEUES } from '@form-webhooks/broker';
import { OnceAMinute, traceFactsOf } from '@form-webhooks/domain';
import type { EventMessage } from '@form-webhooks/messages';
import { LOGGER, Metrics, type Logger } from '@form-webhooks/telemetry';
import type { FanOutOutcome } from './fan-out.js';

const WAIT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];

/** All bulk lanes are one kind. */
const LANES = ['normal', 'bulk', 'large'] as const;

const laneOf = (queue: string): (typeof LANES)[number] => {
  if (isBulk(queue)) return 'bulk';
  return queue === QUEUES.events ? 'normal' : 'large';
};

/** Counts what became of events. */
@Injectable()
export class FanOutReport {
  private readonly events;
  private readonly waits;
  /** All events of a missing form say the same. */
  private readonly alarms = new OnceAMinute();

  constructor(
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.events = metrics.counter('webhook_events_total', 'Events by what became of them.', ['outcome']);
    // An alert on a rate needs the series to be there before the first one.
    for (const outcome of ['not_registered', 'form_missing']) this.events.inc({ outcome }, 0);
    this.waits = metrics.histogram('webhook_event_wait_seconds', 'From accepted to taken.', WAIT_BUCKETS, ['lane']);
    // An alert on a rate needs the series to be there before the first event: what waited through an outage comes at once.
    for (const lane of LANES) this.waits.zero({ lane });
  }

  /** An event that has not waited for its form before is taken from its lane. */
  reportTaken({ acceptedAt }: EventMessage, queue: string): void {
    // Two clocks: this one can be behind ingest's.
    this.waits.observe({ lane: laneOf(queue) }, Math.max(0, Date.now() - acceptedAt) / 1_000);
  }

  reportFanOut(event: EventMessage, outcome: FanOutOutcome): void {
    this.events.inc({ outcome });
    if (outcome === 'form_missing') this.alarm(event);
    this.logger.debug({ ...idsOf(event), outcome }, 'event.fanned_out');
  }

  private alarm(event: EventMessage): void {
    if (!this.alarms.isDue()) return;
    this.logger.error(
      idsOf(event),
      'the database of config has lost a form that it had, and its events wait: it is another database, or was restored from a backup',
    );
  }
}

const idsOf = ({ eventId, formId, trace }: EventMessage): Record<string, string> => ({
  event_id: eventId,
  form_id: formId,
  ...(trace !== undefined && { trace_id: traceFactsOf(trace).traceId }),
});
