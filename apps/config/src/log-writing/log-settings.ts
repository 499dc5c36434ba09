import { asDuration, asInteger, Setting } from '@form-webhooks/settings';

/** How the delivery log is written. */
export class LogSettings {
  @Setting({
    env: 'LOG_PREFETCH',
    meaning: 'messages with log records that are held at a time, each up to 500 records or 256 KiB',
    default: '100',
    parse: asInteger(1, 2_000),
  })
  readonly prefetch: number;

  @Setting({
    env: 'LOG_BATCH_RECORDS',
    meaning: 'log records that one database transaction takes at most',
    default: '2000',
    parse: asInteger(1, 20_000),
  })
  readonly batchRecords: number;

  @Setting({
    env: 'LOG_GATHER',
    meaning: 'how long a log record waits for others, so that they share a transaction and one row of the delivery',
    default: '150ms',
    parse: asDuration(0, 1_000),
  })
  readonly gatherMs: number;
}
