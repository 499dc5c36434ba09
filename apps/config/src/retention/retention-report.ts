import { Inject, Injectable } from '@nestjs/common';
import type { DropRefused, LogDay } from '@form-webhooks/storage';
import { LOGGER, Metrics, type Logger } from '@form-webhooks/telemetry';

/** Tells operators which days of the log are kept past their retention, or seem to be past it. */
@Injectable()
export class RetentionReport {
  private readonly days;
  private readonly refusedDays;

  constructor(
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.days = metrics.gauge('config_log_days_held', 'Days of the log kept past their retention', []);
    this.days.set(0);
    this.refusedDays = metrics.gauge(
      'config_log_days_refused',
      'Days of the log due to go that nobody dares to drop',
      [],
    );
    this.refusedDays.set(0);
  }

  /** No day was dropped, for it seems that a clock is wrong; null: nothing kept this round from it. */
  refused(refusal: DropRefused | null): void {
    this.refusedDays.set(refusal?.days ?? 0);
    if (refusal) this.logger.error({ err: refusal, days: refusal.days }, 'days of the delivery log are not dropped');
  }

  /** At each round, so that it is seen for as long as it lasts. @param holdDays after so many they go in any case */
  held(days: readonly LogDay[], holdDays: number): void {
    this.days.set(days.length);
    if (days.length === 0) return;
    this.logger.warn(
      { days, holdDays },
      'days of the delivery log are past their retention, and hold what is under way',
    );
  }
}
