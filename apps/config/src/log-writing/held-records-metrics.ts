import { Injectable } from '@nestjs/common';
import { Metrics } from '@form-webhooks/telemetry';
import { RetryUntilWritten } from './retry-until-written.js';

/** Shows what becomes of records of the log while they can't be written. */
@Injectable()
export class HeldRecordsMetrics {
  constructor(metrics: Metrics, writes: RetryUntilWritten) {
    metrics.watchCount(
      'config_log_hand_backs_total',
      'How often the records held went back to the broker, for they were not written for too long',
      [],
      () => [{ labels: {}, value: writes.handBacks }],
    );
    metrics.watch(
      'config_log_writes_refused',
      'Messages with log records that the database refuses, and that are tried again',
      () => writes.refusedNow,
    );
  }
}
