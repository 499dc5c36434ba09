import type { DeliveryLogRecord, FenceRecord, LogRecord } from '@form-webhooks/messages';
import type { DataSource } from 'typeorm';
import { problemOf } from './check-record.js';
import { describeDataError, isBug, isConflict, isDataError, LogUnavailable } from './database-errors.js';
import type { EndpointSwitchOff } from '../endpoints/endpoint-switch-off.js';
import { findErasedAmong } from '../erasure/erased-submissions.js';
import { dayOf, retainedDays, type LogDay } from '../database/log-days.js';
import type { LogPartitions } from '../retention/log-partitions.js';
import { NoReport, oldestMoment, type LogWriteReport } from './log-write-report.js';
import { noteFence } from '../reconciler/reconciliations.js';
import { RecordGatherer } from './record-gatherer.js';
import { writeBatch } from './write-batch.js';

/** A record that can't be written, now or later, and why; the sentence is safe to show. */
export interface UnwritableRecord {
  readonly record: LogRecord;
  readonly reason: string;
}

export interface LogWriterOptions {
  readonly retentionDays: number;
  /** Records that one transaction takes at most. */
  readonly maxRecords: number;
  /** Event bytes that one transaction takes at most, unless a single message holds more. */
  readonly maxBytes: number;
  /** Calls of `write` that can be waiting at a time, as the consumer's prefetch has it. */
  readonly maxCalls: number;
  /** How long the first record waits for company; what happens to one delivery meanwhile becomes one row version. */
  readonly gatherMs: number;
  /** Told of every transaction; nobody by default. */
  readonly report?: LogWriteReport;
}

export const DEFAULT_LOG_WRITER_OPTIONS: LogWriterOptions = {
  retentionDays: 30,
  maxRecords: 2_000,
  maxBytes: 8 * 1024 * 1024,
  maxCalls: 100,
  gatherMs: 25,
};

const MAX_CONFLICTS = 5;

/** Writes records to the delivery log: what arrives together becomes one transaction. */
export class DeliveryLogWriter {
  private readonly gatherer: RecordGatherer<readonly UnwritableRecord[]>;
  private readonly report: LogWriteReport;
  private standingDays: ReadonlySet<LogDay> = new Set();

  constructor(
    private readonly dataSource: DataSource,
    private readonly partitions: LogPartitions,
    private readonly switchOff: EndpointSwitchOff,
    private readonly options: LogWriterOptions = DEFAULT_LOG_WRITER_OPTIONS,
    private readonly now: () => number = Date.now,
  ) {
    this.report = options.report ?? new NoReport();
    this.gatherer = new RecordGatherer(options, (records) => this.writeAll(records));
  }

  /**
   * Resolves when the records are committed, with those that never can be; all others of the call are written. Of an
   * erased submission nothing is given back either: nobody may keep it. The same records may be written again, in any
   * order and any company.
   * @throws LogUnavailable if the database is away: nothing is known of these records, write them again
   */
  async write(records: readonly LogRecord[]): Promise<readonly UnwritableRecord[]> {
    const unwritable = await this.gatherer.add(records);
    if (unwritable.length === 0) return unwritable;
    const own: ReadonlySet<LogRecord> = new Set(records);
    return unwritable.filter(({ record }) => own.has(record));
  }

  /** @throws LogUnavailable if the log can't be written now, as far as that shows without writing: also a standby refuses it */
  async probe(): Promise<void> {
    try {
      await this.dataSource.query('UPDATE deliveries SET state = state WHERE false');
    } catch (error) {
      throw new LogUnavailable(error);
    }
  }

  private async writeAll(gathered: readonly LogRecord[]): Promise<readonly UnwritableRecord[]> {
    const retained = retainedDays(this.now(), this.options.retentionDays);
    const unwritable: UnwritableRecord[] = [];
    const sound = gathered.filter((record) => {
      const reason = problemOf(record, retained);
      if (reason) unwritable.push({ record, reason });
      return reason === null;
    });
    const fences = sound.filter((record) => record.kind === 'fence');
    const told = sound.filter((record) => record.kind !== 'fence');
    try {
      await this.makeDaysOf(told);
      await this.writeSound(told, unwritable);
      await this.noteFences(fences);
      const kept = await this.withoutErased(unwritable);
      if (kept.length > 0) this.report.unwritable(kept.length);
      return kept;
    } catch (error) {
      if (isBug(error)) throw error;
      this.report.failed('unavailable');
      throw new LogUnavailable(error);
    }
  }

  /** Halves what the database refuses until the record to blame stands alone; the others are written. */
  private async writeSound(records: readonly DeliveryLogRecord[], unwritable: UnwritableRecord[]): Promise<void> {
    if (records.length === 0) return;
    try {
      await this.writeInTransaction(records);
    } catch (error) {
      if (!isDataError(error)) throw error;
      this.report.failed('refused');
      if (records.length === 1) {
        unwritable.push({ record: records[0]!, reason: describeDataError(error) });
        return;
      }
      const half = records.length >> 1;
      await this.writeSound(records.slice(0, half), unwritable);
      await this.writeSound(records.slice(half), unwritable);
    }
  }

  private async writeInTransaction(records: readonly DeliveryLogRecord[]): Promise<void> {
    for (let conflicts = 0; ; conflicts++) {
      try {
        const facts = await this.dataSource.transaction((tx) => writeBatch(tx, records, this.switchOff, this.now()));
        this.report.committed(records.length, oldestMoment(records));
        if (facts.reusedKeys > 0) this.report.reusedKeys(facts.reusedKeys);
        return;
      } catch (error) {
        if (!isConflict(error) || conflicts === MAX_CONFLICTS) throw error;
        this.report.failed('conflict');
      }
    }
  }

  private async withoutErased(unwritable: readonly UnwritableRecord[]): Promise<readonly UnwritableRecord[]> {
    const subjects = unwritable.map(({ record }) => record).filter((record) => record.kind !== 'fence');
    const isErased = await findErasedAmong(this.dataSource.manager, subjects);
    return unwritable.filter(({ record }) => record.kind === 'fence' || !isErased(record));
  }

  /** After the records that came with them: a fence says that what was ahead of it is in the log. */
  private async noteFences(fences: readonly FenceRecord[]): Promise<void> {
    for (const fence of fences) await noteFence(this.dataSource.manager, fence);
  }

  /** The keeper makes days ahead; a late record of a day that it never made finds it here. */
  private async makeDaysOf(records: readonly DeliveryLogRecord[]): Promise<void> {
    const days = [...new Set(records.map((record) => dayOf(record.acceptedAt)))];
    if (days.every((day) => this.standingDays.has(day))) return;
    await this.partitions.make(days);
    this.standingDays = await this.partitions.standing();
  }
}
