import type { DeliveryLogRecord } from '@form-webhooks/messages';

/** Why a transaction of records did not commit. */
export const LOG_WRITE_FAILURES = ['unavailable', 'conflict', 'refused'] as const;

/**
 * `unavailable`: the database is away, the records wait. `conflict`: another writer was faster, tried again at once.
 * `refused`: the database takes no record of this kind, so the batch is halved until only the culprit is left.
 */
export type LogWriteFailure = (typeof LOG_WRITE_FAILURES)[number];

/** What an operator is told of the writing of the log. It must not throw. */
export abstract class LogWriteReport {
  /** A transaction committed. `oldestAt` is when the oldest thing it tells of happened, ms; null if none says when. */
  abstract committed(records: number, oldestAt: number | null): void;
  abstract failed(why: LogWriteFailure): void;
  /** New events whose idempotency key came with another content before. */
  abstract reusedKeys(events: number): void;
  /** Records that can never be written; their messages are parked. */
  abstract unwritable(records: number): void;
}

/** For whoever doesn't watch. */
export class NoReport extends LogWriteReport {
  committed(): void {}
  failed(): void {}
  reusedKeys(): void {}
  unwritable(): void {}
}

/** When the oldest thing that these records tell of happened; a deferral doesn't say. */
export function oldestMoment(records: readonly DeliveryLogRecord[]): number | null {
  const moments = records.map(momentOf).filter((at) => at !== null);
  return moments.length === 0 ? null : moments.reduce((a, b) => Math.min(a, b));
}

function momentOf(record: DeliveryLogRecord): number | null {
  if (record.kind === 'event') return record.fannedOutAt;
  const { attempt, completedAt } = record;
  return attempt === null ? completedAt : attempt.startedAt + attempt.durationMs;
}
