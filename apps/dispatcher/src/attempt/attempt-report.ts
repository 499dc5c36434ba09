import { Inject, Injectable } from '@nestjs/common';
import {
  FAILED_REASONS,
  OnceAMinute,
  traceFactsOf,
  WAITING_CAUSES,
  type CancelledReason,
  type WaitingCause,
} from '@form-webhooks/domain';
import type { DeliveryMessage } from '@form-webhooks/messages';
import { LOGGER, Metrics, type Logger } from '@form-webhooks/telemetry';
import type { MadeAttempt } from '../record/delivery-records.js';
import { StepReport } from './settlement.js';

const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];
/** What nothing but an operator can change, in plain words. */
const ALARMS: { readonly [cause in WaitingCause]?: string } = {
  secret_unreadable:
    'a signing secret or the value of a header does not open, and deliveries wait: it was changed, or SECRET_KEYS differs from those of config',
  not_registered:
    'the database of config has never had the form or the endpoint of a delivery, which waits: it is another database, or was restored from a backup',
};
const LATE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** Says what happened: one wide log line per attempt, and metrics without any id in a label. */
@Injectable()
export class AttemptReport extends StepReport {
  private readonly attempts;
  private readonly durations;
  private readonly lateness;
  private readonly deferrals;
  private readonly cancellations;
  private readonly failures;
  /** All deliveries of an endpoint meet the same, again and again. */
  private readonly alarms = new OnceAMinute();
  private readonly unsettled;

  constructor(
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
    this.attempts = metrics.counter('webhook_attempts_total', 'Attempts by what followed.', ['next', 'error']);
    this.durations = metrics.histogram('webhook_attempt_seconds', 'How long attempts took.', DURATION_BUCKETS);
    this.lateness = metrics.histogram('webhook_attempt_late_seconds', 'From due to started.', LATE_BUCKETS);
    this.deferrals = metrics.counter('webhook_deferrals_total', 'Deliveries put off without an attempt.', ['why']);
    this.cancellations = metrics.counter('webhook_cancellations_total', 'Deliveries cancelled.', ['reason']);
    this.failures = metrics.counter('webhook_deliveries_failed_total', 'Deliveries that failed for good.', ['reason']);
    // An alert on a rate needs the series to be there before the first one.
    for (const reason of FAILED_REASONS) this.failures.inc({ reason }, 0);
    for (const why of WAITING_CAUSES) this.deferrals.inc({ why }, 0);
    this.unsettled = metrics.counter(
      'webhook_unsettled_attempts_total',
      'Attempts that a bug kept from being settled.',
    );
  }

  /** Each member by its name: there is one such line for each attempt, and put together from others it costs more. */
  override reportAttempt(delivery: DeliveryMessage, { sent, next }: MadeAttempt): void {
    const lateMs = Math.max(0, sent.startedAt - delivery.dueAt);
    this.attempts.inc({ next: next.kind, error: sent.error?.code ?? 'none' });
    if (next.kind === 'failed') this.failures.inc({ reason: next.reason });
    this.durations.observe(sent.durationMs / 1_000);
    this.lateness.observe(lateMs / 1_000);
    this.logger.info(
      {
        delivery_id: delivery.deliveryId,
        endpoint_id: delivery.endpointId,
        event_id: delivery.eventId,
        form_id: delivery.formId,
        trace_id: traceIdOf(delivery),
        try: delivery.position.try,
        generation: delivery.position.generation,
        trigger: delivery.trigger,
        event: delivery.event,
        submission_id: delivery.submissionId,
        bytes: delivery.tail.length,
        lateMs,
        status: sent.response?.status ?? null,
        error: sent.error?.code ?? null,
        durationMs: sent.durationMs,
        resent: sent.resent,
        next: next.kind,
        delayMs: next.kind === 'retry' ? next.delayMs : undefined,
        reason: next.kind === 'failed' ? next.reason : undefined,
      },
      'delivery.attempted',
    );
  }

  override reportDeferral(delivery: DeliveryMessage, cause: WaitingCause): void {
    this.deferrals.inc({ why: cause });
    this.alarm(delivery, cause);
    this.logger.debug(
      { ...idsOf(delivery), why: cause, deferrals: delivery.position.deferrals + 1 },
      'delivery.deferred',
    );
  }

  private alarm(delivery: DeliveryMessage, cause: WaitingCause): void {
    const words = ALARMS[cause];
    if (words !== undefined && this.alarms.isDue(cause)) this.logger.error(idsOf(delivery), words);
  }

  override reportCancellation(delivery: DeliveryMessage, reason: CancelledReason): void {
    this.cancellations.inc({ reason });
    this.logger.info({ ...idsOf(delivery), reason }, 'delivery.cancelled');
  }

  override reportExpiry(delivery: DeliveryMessage): void {
    this.failures.inc({ reason: 'expired' });
    this.logger.warn({ ...idsOf(delivery), reason: 'expired' }, 'delivery.expired');
  }

  override reportUnsettled(delivery: DeliveryMessage, error: unknown): void {
    this.unsettled.inc();
    this.logger.error({ ...idsOf(delivery), try: delivery.position.try, err: error }, 'delivery.unsettled');
  }
}

/** A line leaves out what is undefined. */
const idsOf = (delivery: DeliveryMessage) => ({
  delivery_id: delivery.deliveryId,
  endpoint_id: delivery.endpointId,
  event_id: delivery.eventId,
  form_id: delivery.formId,
  trace_id: traceIdOf(delivery),
});

const traceIdOf = ({ trace }: DeliveryMessage): string | undefined => trace && traceFactsOf(trace).traceId;
