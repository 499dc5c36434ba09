import type { QueryRunner } from 'typeorm';
import { addDays, type LogDay } from '../database/log-days.js';

/** For how long days are kept past their retention, and who is told which ones are. */
export interface DayHold {
  /** A day that is this much older than the retention goes, whatever it holds. */
  readonly days: number;
  readonly told: (held: readonly LogDay[]) => void;
}

/** Every day goes when its retention ends. */
export const NO_HOLD: DayHold = { days: 0, told: () => undefined };

/** What becomes of days whose retention has ended. */
export interface EndedDays {
  readonly dropped: readonly LogDay[];
  readonly held: readonly LogDay[];
}

/**
 * Which days go, and which stay because something on them is still under way: without its row a delivery would go on
 * unseen, and nobody could tell that it has ended.
 * @param first the first day within its retention
 */
export function chooseDays(
  old: readonly LogDay[],
  first: LogDay,
  underWay: ReadonlySet<LogDay>,
  holdDays: number,
): EndedDays {
  const heldFrom = addDays(first, -holdDays);
  const isHeld = (day: LogDay): boolean => day >= heldFrom && underWay.has(day);
  return { dropped: old.filter((day) => !isHeld(day)), held: old.filter(isHeld) };
}

/** Those of these days that hold a delivery which is not final, or one that a running replay is to send yet. */
export async function daysUnderWay(runner: QueryRunner, days: readonly LogDay[]): Promise<ReadonlySet<LogDay>> {
  const held = new Set<LogDay>();
  for (const day of days) {
    const [row] = (await runner.query(UNDER_WAY, [day])) as [{ held: boolean }];
    if (row.held) held.add(day);
  }
  return held;
}

const UNDER_WAY = `
  SELECT EXISTS (SELECT FROM deliveries WHERE day = $1::date AND state IN ('pending', 'retrying'))
    OR EXISTS (SELECT FROM replays r JOIN replay_items i ON i.replay_id = r.id
      JOIN deliveries d ON d.delivery_id = i.delivery_id AND d.day = $1::date
      WHERE r.state = 'running') AS held`;
