import { MAX_ADMISSION_WAIT_MS } from '@form-webhooks/domain';
import { asDuration, asInteger, HttpSettings, Setting } from '@form-webhooks/settings';

/** The grace holds an attempt this often: once and a bit in the fifth of it that attempts in flight are given. */
const ATTEMPTS_IN_GRACE = 6;
/** An attempt's outcome is published and confirmed after it. */
const MARGIN = 1.2;

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
    meaning: 'how long a log record waits for others, so that they share a transaction and one row of the delivery',
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

  @Setting({
    env: 'RECONCILE_INTERVAL',
    meaning: 'how long after one search for deliveries that the broker lost the next one begins',
    default: '1m',
    parse: asDuration(100, 86_400_000),
  })
  reconcileIntervalMs: number;

  @Setting({
    env: 'RECONCILE_GRACE',
    meaning:
      'for how long a delivery must have been due, and the broker up, before it can count as lost; ' +
      `at least ${ATTEMPTS_IN_GRACE} times ATTEMPT_TIMEOUT`,
    default: '5m',
    parse: asDuration(1_000, 86_400_000),
  })
  reconcileGraceMs: number;

  @Setting({
    env: 'ERASURE_INTERVAL',
    meaning:
      'how long after one look for erasures that were interrupted, and for copies of erased data that were parked since, ' +
      'the next one begins',
    default: '30s',
    parse: asDuration(100, 86_400_000),
  })
  erasureIntervalMs: number;

  @Setting({
    env: 'ATTEMPT_TIMEOUT',
    meaning: 'the one deadline of an attempt, as the dispatchers have it: what is in flight is not lost',
    default: '15s',
    parse: asDuration(100, 30_000),
  })
  attemptTimeoutMs: number;

  /** How long a delivery in a dispatcher's hands, or a batch of records, can take: a minute of the default's five. */
  get reconcileSettleMs(): number {
    const inHandMs = MAX_ADMISSION_WAIT_MS + this.attemptTimeoutMs * MARGIN;
    return Math.max(this.reconcileGraceMs / 5, inHandMs);
  }

  /**
   * How long a replica holds records that it can't write. Half of what the reconciler waits for batches in hand: the
   * other half is for the replica that gets them then, else it would take delivered deliveries for lost.
   */
  get logHoldMs(): number {
    return this.reconcileSettleMs / 2;
  }

  /** A shorter grace would take what a slow endpoint's backlog has in flight for lost, and publish it a second time. */
  problems(): string[] {
    if (this.reconcileGraceMs >= ATTEMPTS_IN_GRACE * this.attemptTimeoutMs) return [];
    return [`RECONCILE_GRACE must be at least ${ATTEMPTS_IN_GRACE} times ATTEMPT_TIMEOUT`];
  }
}
