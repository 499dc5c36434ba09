import { Inject, Injectable } from '@nestjs/common';
import type { LogDay } from '@form-webhooks/storage';
import { LOGGER, Metrics, type Logger } from '@form-webhooks/telemetry';

/** Tells operators which days of the log are kept past their retention. */
@Injectable()
export class RetentionReport {
  private readonly days;

  constructor(
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.days = metrics.gauge('config_log_days_held', 'Days of the log kept past their retention', []);
    this.days.set(0);
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
