import type { DeliveryLogRecord, FenceRecord, LogRecord } from '@form-webhooks/messages';
import type { DataSource } from 'typeorm';
import {
  describeDataError,
  isBug,
  isConflict,
  isDataError,
  isDayMissing,
  isRefusal,
  LogRefused,
  LogUnavailable,
} from './database-errors.js';
import type { EndpointSwitchOff } from '../endpoints/endpoint-switch-off.js';
import { findErasedAmong } from '../erasure/erased-submissions.js';
import type { LogPartitions } from '../retention/log-partitions.js';
import { NoReport, oldestMoment, type LogWriteReport } from './log-write-report.js';
import { noteFence } from '../reconciler/reconciliations.js';
import { RecordDays, type UnwritableRecord } from './record-days.js';
import { RecordGatherer } from './record-gatherer.js';
import { writeBatch } from './write-batch.js';
import { writeInHalves, type Refused } from './write-in-halves.js';

export type { UnwritableRecord } from './record-days.js';

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
  gatherMs: 150,
};

const MAX_CONFLICTS = 5;

/** What became of a batch besides what is written. */
interface BatchResult {
  readonly unwritable: readonly UnwritableRecord[];
  /** Of which nobody knows yet whether they or the database are at fault. */
  readonly refused: readonly Refused<LogRecord>[];
}

/** Writes records to the delivery log: what arrives together becomes one transaction. */
export class DeliveryLogWriter {
  private readonly gatherer: RecordGatherer<BatchResult>;
  private readonly report: LogWriteReport;
  private readonly days: RecordDays;
  private committedAt = -Infinity;
  /** When the batch began that a record was refused in for the first time. */
  private readonly refusedSince = new WeakMap<LogRecord, number>();

  constructor(
    private readonly dataSource: DataSource,
    partitions: LogPartitions,
    private readonly switchOff: EndpointSwitchOff,
    options: LogWriterOptions = DEFAULT_LOG_WRITER_OPTIONS,
    private readonly now: () => number = Date.now,
  ) {
    this.report = options.report ?? new NoReport();
    this.days = new RecordDays(partitions, options.retentionDays, now);
    this.gatherer = new RecordGatherer(options, (records) => this.writeAll(records));
  }

  /**
   * Resolves when the records are committed, with those that never can be; all others of the call are written. Of an
   * erased submission nothing is given back either: nobody may keep it. The same records may be written again, in any
   * order and any company.
   * @throws LogUnavailable if the database is away: nothing is known of these records, write them again
   * @throws LogRefused if one of them is refused and it is open why; the others of the call are written
   */
  async write(records: readonly LogRecord[]): Promise<readonly UnwritableRecord[]> {
    const { unwritable, refused } = await this.gatherer.add(records);
    if (unwritable.length + refused.length === 0) return unwritable;
    const own: ReadonlySet<LogRecord> = new Set(records);
    const open = refused.find(({ record }) => own.has(record));
    if (open) throw new LogRefused(open.error);
    return unwritable.filter(({ record }) => own.has(record));
  }

  /**
   * What is being written, or waits for it, fails now: a connection on which nothing is heard any more must not keep
   * back what could be written over another. Whether it is written all the same stays open.
   */
  giveUp(error: LogUnavailable): void {
    this.gatherer.giveUp(error);
  }

  /** @throws LogUnavailable if the log can't be written now, as far as that shows without writing: also a standby refuses it */
  async probe(): Promise<void> {
    try {
      await this.dataSource.query('UPDATE deliveries SET state = state WHERE false');
    } catch (error) {
      throw new LogUnavailable(error);
    }
  }

  private async writeAll(gathered: readonly LogRecord[]): Promise<BatchResult> {
    const startedAt = performance.now();
    try {
      const { sound, unwritable } = await this.days.findRoom(gathered);
      const fences = sound.filter((record) => record.kind === 'fence');
      const told = sound.filter((record) => record.kind !== 'fence');
      const written = await this.writeTold(told);
      const refused = [...written.refused, ...(await this.noteFences(fences))];
      const [atFault, open] = this.judge(refused, startedAt);
      const kept = await this.withoutErased([...unwritable, ...written.unwritable, ...atFault]);
      if (kept.length > 0) this.report.unwritable(kept.length);
      return { unwritable: kept, refused: open };
    } catch (error) {
      if (isBug(error)) throw error;
      this.report.failed('unavailable');
      throw new LogUnavailable(error);
    }
  }

  /** A day that stood is missing if it was dropped since: what its records are worth is judged anew, and they go again. */
  private async writeTold(records: readonly DeliveryLogRecord[]): Promise<BatchResult> {
    const write = (some: readonly DeliveryLogRecord[]) => this.writeInTransaction(some);
    try {
      return { unwritable: [], refused: await this.inHalves(records, write, isDayMissing) };
    } catch (error) {
      if (!isDayMissing(error)) throw error;
      const { sound, unwritable } = await this.days.findRoomAnew(records);
      return { unwritable, refused: await this.inHalves(sound, write) };
    }
  }

  private inHalves<R extends LogRecord>(
    records: readonly R[],
    write: (some: readonly R[]) => Promise<void>,
    isThrown: (error: unknown) => boolean = () => false,
  ): Promise<readonly Refused<LogRecord>[]> {
    const counted = (error: unknown): boolean => {
      if (isThrown(error) || !isRefusal(error)) return false;
      this.report.failed('refused');
      return true;
    };
    return writeInHalves(records, write, { isRefusal: counted, isCertain: isDataError });
  }

  /**
   * A record is at fault if the code says so, or if others could be written since it was refused: it would be refused
   * for ever, and is parked. Else it may be the database, and nothing is parked for that.
   */
  private judge(
    refused: readonly Refused<LogRecord>[],
    startedAt: number,
  ): readonly [UnwritableRecord[], Refused<LogRecord>[]] {
    const atFault: UnwritableRecord[] = [];
    const open: Refused<LogRecord>[] = [];
    for (const { record, error } of refused) {
      const since = this.refusedSince.get(record) ?? startedAt;
      this.refusedSince.set(record, since);
      if (isDataError(error) || this.committedAt > since) atFault.push({ record, reason: describeDataError(error) });
      else open.push({ record, error });
    }
    return [atFault, open];
  }

  private async writeInTransaction(records: readonly DeliveryLogRecord[]): Promise<void> {
    for (let conflicts = 0; ; conflicts++) {
      try {
        const facts = await this.dataSource.transaction((tx) => writeBatch(tx, records, this.switchOff, this.now()));
        this.committedAt = performance.now();
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
  private noteFences(fences: readonly FenceRecord[]): Promise<readonly Refused<LogRecord>[]> {
    return this.inHalves(fences, async (some) => {
      for (const fence of some) await noteFence(this.dataSource.manager, fence);
    });
  }
}
