import { Injectable } from '@nestjs/common';
import { Metrics } from '@form-webhooks/telemetry';

/** Where a repeat was noticed. */
export type RepeatedStage = 'fan_out' | 'attempt';

/** Counts what was not done again because the log knew of it, and the questions that this took. */
@Injectable()
export class RepeatReport {
  private readonly repeats;
  private readonly questions;

  constructor(metrics: Metrics) {
    this.repeats = metrics.counter('webhook_repeats_total', 'Deliveries not begun again, for the log knows them.', [
      'stage',
    ]);
    this.questions = metrics.counter('webhook_log_questions_total', 'Questions whether the log knows deliveries.', [
      'result',
    ]);
  }

  reportRepeat(stage: RepeatedStage, count = 1): void {
    this.repeats.inc({ stage }, count);
  }

  reportQuestion(result: 'answered' | 'unanswered'): void {
    this.questions.inc({ result });
  }
}
