import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { isLockTimeout } from '../database/data-source.js';
import { databaseNow } from '../database/database-clock.js';
import { LOCKS, withLockIfFree } from '../locks/session-lock.js';
import { dropReplaysBefore, dropRollUpsBefore } from './drop-rows.js';
import { refuseUnlessClocksAgree, TooManyDays } from './drop-refused.js';
import { chooseDays, daysUnderWay, NO_HOLD, type DayHold } from './held-days.js';
import type { LogDay } from '../database/log-days.js';

/** The log's tables that have one partition per day. */
const TABLES = ['events', 'deliveries', 'attempts'] as const;

/** Nobody waits longer than this behind a partition that is made; the next round tries again. */
const MAKE_LOCK_TIMEOUT = '3s';
/**
 * To drop a partition stops who reads or writes the log for an instant, and before that for as long as it waits for those
 * who do so already. So it waits briefly, lets everybody pass and tries again; then the next round does. While somebody
 * reads the partition itself it does not wait at all. Shorter than PostgreSQL's `deadlock_timeout` (1 s).
 */
const DROP_LOCK_TIMEOUT = '500ms';
const DROP_TRIES = 10;
const DROP_PAUSE_MS = 1_000;

interface DayTable {
  readonly name: string;
  readonly day: LogDay;
  readonly attached: boolean;
  /** A detachment was begun and interrupted. */
  readonly pending: boolean;
}

/** Makes and drops the days of the delivery log. Everything here may run in several replicas at once. */
export class LogPartitions {
  /** @param ownNow this process's clock, ms since the epoch: no day goes unless the database's tells about the same */
  constructor(
    private readonly dataSource: DataSource,
    private readonly ownNow: () => number = Date.now,
  ) {}

  /** The database's clock, ms since the epoch: which days stand and go must not hang on a replica's own. */
  async now(): Promise<number> {
    return (await databaseNow(this.dataSource.manager)).getTime();
  }

  /** Makes the partitions of these days that don't stand yet. */
  async make(days: readonly LogDay[]): Promise<void> {
    const standing = await this.standing();
    for (const day of days) if (!standing.has(day)) await this.makeDay(day);
  }

  /** The days that can take rows: all three tables have their partition. */
  async standing(): Promise<ReadonlySet<LogDay>> {
    const tables = (await this.tables()).filter((table) => table.attached && !table.pending);
    const counts = new Map<LogDay, number>();
    for (const { day } of tables) counts.set(day, (counts.get(day) ?? 0) + 1);
    return new Set([...counts].filter(([, count]) => count === TABLES.length).map(([day]) => day));
  }

  /**
   * Drops every day before `first`, with its roll-ups and finished replays. Readers and writers wait for half a second
   * at most. If another replica is at it, there is nothing to do.
   * @param announce is told which days go before any of them does: what can't be told of isn't dropped
   * @param maxDays that are dropped at once, besides those that were held
   * @param hold for how long days stay on which something is under way
   * @throws DropRefused if there are more, or a clock must be wrong; no day is dropped then
   */
  async dropBefore(
    first: LogDay,
    announce: (days: readonly LogDay[]) => Promise<void> = () => Promise.resolve(),
    maxDays = Infinity,
    hold: DayHold = NO_HOLD,
  ): Promise<readonly LogDay[]> {
    const old = new Set((await this.tables()).map(({ day }) => day).filter((day) => day < first));
    refuseUnlessClocksAgree(old.size, await this.now(), this.ownNow());
    if (old.size > maxDays + hold.days) throw new TooManyDays(old.size, maxDays);
    const drop = async (runner: QueryRunner): Promise<readonly LogDay[]> => {
      try {
        const { dropped, held } = chooseDays([...old].sort(), first, await daysUnderWay(runner, [...old]), hold.days);
        hold.told(held);
        if (dropped.length > maxDays) throw new TooManyDays(dropped.length, maxDays);
        return await this.dropDays(runner, dropped, announce, held[0] ?? first);
      } finally {
        // Whatever keeps days from being dropped, which may last, keeps nothing else.
        await dropReplaysBefore(runner, first);
      }
    };
    const settings = [`SET lock_timeout = '${DROP_LOCK_TIMEOUT}'`];
    return (await withLockIfFree(this.dataSource, LOCKS.dropDays, drop, settings)) ?? [];
  }

  /**
   * @param countedFrom the first day whose roll-ups stay: what ends on a day that is held moves its hour's counts,
   *   which would count less than nothing if they had gone before
   */
  private async dropDays(
    runner: QueryRunner,
    chosen: readonly LogDay[],
    announce: (days: readonly LogDay[]) => Promise<void>,
    countedFrom: LogDay,
  ): Promise<readonly LogDay[]> {
    // Another replica may just have dropped some of them.
    const old = (await this.tables()).filter((table) => chosen.includes(table.day));
    const days = [...new Set(old.map((table) => table.day))].sort();
    if (days.length > 0) await announce(days);
    for (const table of old) await dropTable(runner, table.name);
    await dropRollUpsBefore(runner, countedFrom);
    return days;
  }

  private async makeDay(day: LogDay): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = '${MAKE_LOCK_TIMEOUT}'`);
      await tx.query('SELECT make_log_day($1::date)', [day]);
    });
  }

  private async tables(): Promise<DayTable[]> {
    return (await this.dataSource.query(LIST_TABLES)) as DayTable[];
  }
}

/** Also those that an interrupted round detached and did not drop. */
const LIST_TABLES = `
  SELECT c.relname AS name,
         to_char(to_date(split_part(c.relname, '_', 2), 'YYYYMMDD'), 'YYYY-MM-DD') AS day,
         i.inhrelid IS NOT NULL AS attached, COALESCE(i.inhdetachpending, false) AS pending
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    AND c.relname ~ '^(${TABLES.join('|')})_[0-9]{8}$'
  ORDER BY c.relname`;

async function dropTable(runner: QueryRunner, name: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await runner.query('SELECT drop_log_table($1)', [name]);
      return;
    } catch (error) {
      if (!isLockTimeout(error) || tries === DROP_TRIES) throw error;
      await delay(DROP_PAUSE_MS);
    }
  }
}
