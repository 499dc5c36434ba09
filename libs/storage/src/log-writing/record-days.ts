import { isMoment } from '@form-webhooks/domain';
import type { LogRecord } from '@form-webhooks/messages';
import { dayOf, holds, retainedDays, type LogDay, type RetainedDays } from '../database/log-days.js';
import type { LogPartitions } from '../retention/log-partitions.js';
import { problemOf } from './check-record.js';
import { isDenied } from './database-errors.js';

/** A record that can't be written, now or later, and why; the sentence is safe to show. */
export interface UnwritableRecord {
  readonly record: LogRecord;
  readonly reason: string;
}

/** Records whose days stand, and those that the log never can take. */
export interface SortedRecords<R extends LogRecord> {
  readonly sound: readonly R[];
  readonly unwritable: readonly UnwritableRecord[];
}

/** Finds out which records the log has room for, and makes their days. */
export class RecordDays {
  /** As they were when they were last looked at. */
  private standing: ReadonlySet<LogDay> = new Set();

  constructor(
    private readonly partitions: Pick<LogPartitions, 'now' | 'make' | 'standing'>,
    private readonly retentionDays: number,
    private readonly now: () => number,
  ) {}

  /**
   * By this process's clock as far as that has room for all. A day that the database refuses to make lies too far from
   * its own moment: the records of such days are at fault, and must not keep back those that came with them.
   * @throws Error if the database can't be asked, or makes no day at all
   */
  async findRoom<R extends LogRecord>(records: readonly R[]): Promise<SortedRecords<R>> {
    const sorted = sortOut(records, await this.retainedFor(records));
    try {
      await this.makeDaysOf(sorted.sound);
      return sorted;
    } catch (error) {
      if (!isDenied(error)) throw error;
      return this.findRoomAnew(records);
    }
  }

  /** By the database's clock, and as if no day was known to stand: one that did was dropped. */
  async findRoomAnew<R extends LogRecord>(records: readonly R[]): Promise<SortedRecords<R>> {
    this.standing = new Set();
    const sorted = sortOut(records, await this.retainedByDatabase());
    await this.makeDaysOf(sorted.sound);
    return sorted;
  }

  /**
   * A record for whose day this process's clock sees no room is judged by the database's, and is written if its day
   * still stands: that is kept longer for what is under way.
   */
  private async retainedFor(records: readonly LogRecord[]): Promise<RetainedDays> {
    const own = retainedDays(this.now(), this.retentionDays);
    const hasRoom = (record: LogRecord): boolean =>
      record.kind === 'fence' || !isMoment(record.acceptedAt) || holds(own, dayOf(record.acceptedAt));
    return records.every(hasRoom) ? own : this.retainedByDatabase();
  }

  private async retainedByDatabase(): Promise<RetainedDays> {
    const byDatabase = retainedDays(await this.partitions.now(), this.retentionDays);
    return { ...byDatabase, standing: await this.partitions.standing() };
  }

  /** The keeper makes days ahead; a late record of a day that it never made finds it here. */
  private async makeDaysOf(records: readonly LogRecord[]): Promise<void> {
    const moments = records.flatMap((record) => (record.kind === 'fence' ? [] : [record.acceptedAt]));
    const days = [...new Set(moments.map(dayOf))];
    if (days.every((day) => this.standing.has(day))) return;
    await this.partitions.make(days);
    this.standing = await this.partitions.standing();
  }
}

function sortOut<R extends LogRecord>(records: readonly R[], retained: RetainedDays): SortedRecords<R> {
  const unwritable: UnwritableRecord[] = [];
  const sound = records.filter((record) => {
    const reason = problemOf(record, retained);
    if (reason) unwritable.push({ record, reason });
    return reason === null;
  });
  return { sound, unwritable };
}
