export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A UTC day as PostgreSQL writes it, `2026-11-27`: what the log is partitioned by. */
export type LogDay = string;

/** Asked several times for each record, and nearly always for the same few days. */
const knownDays = new Map<number, LogDay>();
const MAX_KNOWN_DAYS = 100;

export function dayOf(ms: number): LogDay {
  const number = Math.floor(ms / DAY_MS);
  let day = knownDays.get(number);
  if (day === undefined) {
    day = new Date(ms).toISOString().slice(0, 10);
    if (knownDays.size === MAX_KNOWN_DAYS) knownDays.clear();
    knownDays.set(number, day);
  }
  return day;
}

/** The start of the hour that a moment lies in: what roll-ups are counted by. */
export const hourOf = (ms: number): number => ms - (ms % HOUR_MS);

export const addDays = (day: LogDay, days: number): LogDay => dayOf(Date.parse(day) + days * DAY_MS);

/** The day itself and its two neighbours: where the row of a repeated acceptance can lie. */
export const neighbourhoodOf = (day: LogDay): readonly LogDay[] => [addDays(day, -1), day, addDays(day, 1)];

export const areNeighbours = (a: LogDay, b: LogDay): boolean =>
  a === b || Math.abs(Date.parse(a) - Date.parse(b)) <= DAY_MS;

/** All days from the first to the last, both included. */
function daysBetween(first: LogDay, last: LogDay): LogDay[] {
  const days: LogDay[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The days that the log holds: what is older was dropped, what lies further ahead can only be a wrong clock. */
export interface RetainedDays {
  readonly first: LogDay;
  readonly last: LogDay;
  /** Days that can take rows, whether they lie in between or not; those in between can, too. */
  readonly standing?: ReadonlySet<LogDay>;
}

/** Partitions stand ready this far ahead: a keeper that fails for two days harms nobody. */
const DAYS_AHEAD = 3;

export function retainedDays(now: number, retentionDays: number): RetainedDays {
  const today = dayOf(now);
  return { first: addDays(today, -retentionDays), last: addDays(today, DAYS_AHEAD) };
}

export const holds = ({ first, last, standing }: RetainedDays, day: LogDay): boolean =>
  (day >= first && day <= last) || standing?.has(day) === true;

/** The days whose partitions should stand at any time: yesterday's repeats, today, and what is made ahead. */
export function upcomingDays(now: number): LogDay[] {
  const today = dayOf(now);
  return daysBetween(addDays(today, -1), addDays(today, DAYS_AHEAD));
}
