import { asDuration, asInteger, HttpSettings, Setting } from '@form-webhooks/settings';

/** What the delivery log reads from the environment. */
export class LogSettings extends HttpSettings {
  @Setting({
    env: 'LOG_RETENTION_DAYS',
    meaning: 'for how many days the delivery log keeps what was accepted, payloads included',
    default: '30',
    parse: asInteger(1, 3_650),
  })
  logRetentionDays: number;

  @Setting({
    env: 'LOG_PREFETCH',
    meaning: 'messages with log records that are held at a time, each up to 500 records or 256 KiB',
    default: '100',
    parse: asInteger(1, 2_000),
  })
  logPrefetch: number;

  @Setting({
    env: 'LOG_BATCH_RECORDS',
    meaning: 'log records that one database transaction takes at most',
    default: '2000',
    parse: asInteger(1, 20_000),
  })
  logBatchRecords: number;

  @Setting({
    env: 'LOG_GATHER',
    meaning: 'how long a log record waits for others, so that they share a transaction',
    default: '25ms',
    parse: asDuration(0, 1_000),
  })
  logGatherMs: number;

  @Setting({
    env: 'REPLAY_MAX_DELIVERIES',
    meaning: 'deliveries that one replay by filter may choose',
    default: '100000',
    parse: asInteger(1, 1_000_000),
  })
  replayMaxDeliveries: number;

  @Setting({
    env: 'REPLAY_RATE',
    meaning: 'deliveries a second that one replay by filter sends at most',
    default: '50',
    parse: asInteger(1, 10_000),
  })
  replayRate: number;
}
