import { Injectable } from '@nestjs/common';
import { LOG_WRITE_FAILURES, LogWriteReport, type LogWriteFailure } from '@form-webhooks/storage';
import { Metrics } from '@form-webhooks/telemetry';

const RECORDS = [1, 3, 10, 30, 100, 300, 1_000, 2_000, 5_000];
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200];

/** What an operator watches of the log's writer. Nothing here asks the database: a scrape must not scan the log. */
@Injectable()
export class LogMetrics extends LogWriteReport {
  private readonly batchRecords;
  private readonly records;
  private readonly lag;
  private readonly failures;
  private readonly reused;

  constructor(metrics: Metrics) {
    super();
    this.batchRecords = metrics.histogram(
      'config_log_batch_records',
      'Log records in a committed transaction',
      RECORDS,
    );
    this.records = metrics.counter('config_log_records_total', 'Log records by what became of them', ['outcome']);
    this.lag = metrics.histogram(
      'config_log_lag_seconds',
      'From the oldest thing that a transaction of log records tells of to its commit',
      SECONDS,
    );
    this.failures = metrics.counter('config_log_failures_total', 'Transactions of log records that failed', ['why']);
    this.reused = metrics.counter(
      'config_events_reused_key_total',
      'Events whose idempotency key came with another content before',
    );
    // An alert on a rate needs the series to be there before the first failure.
    for (const outcome of ['written', 'parked']) this.records.inc({ outcome }, 0);
    for (const why of LOG_WRITE_FAILURES) this.failures.inc({ why }, 0);
  }

  committed(records: number, oldestAt: number | null): void {
    this.batchRecords.observe(records);
    this.records.inc({ outcome: 'written' }, records);
    // Two clocks: this one can be behind the dispatcher's.
    if (oldestAt !== null) this.lag.observe(Math.max(0, Date.now() - oldestAt) / 1_000);
  }

  failed(why: LogWriteFailure): void {
    this.failures.inc({ why });
  }

  reusedKeys(events: number): void {
    this.reused.inc(events);
  }

  unwritable(records: number): void {
    this.records.inc({ outcome: 'parked' }, records);
  }
}
