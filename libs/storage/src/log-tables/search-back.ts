import { addDays, dayOf, type LogDay, type RetainedDays } from '../database/log-days.js';

/** After this long a search hands over what it has found, with the place where it stopped. */
const HAND_OVER_MS = 60;
/** While a look back takes less than this, the next one goes twice as far. */
const QUICK_MS = 15;
/** More days than any log holds. */
const EVERYWHERE = 10_000;

/** A place in a list of the log, which is sorted by acceptance and id, newest first. */
export interface LogPlace {
  /** ms since the epoch */
  readonly acceptedAt: number;
  /** Of the row after which it goes on; empty where a search was cut off between two rows. */
  readonly id: string;
}

export interface LogPage<Row> {
  readonly rows: readonly Row[];
  /** Where to go on; null at the end. A page can be short and yet not be the last. */
  readonly next: LogPlace | null;
}

export interface BackwardSearch<Row> {
  readonly range: RetainedDays;
  /** An index finds what is looked for wherever it lies: all days are looked at together. */
  readonly everywhere: boolean;
  readonly limit: number;
  /** The newest rows of these days, at most so many. */
  readonly look: (window: RetainedDays, limit: number) => Promise<readonly Row[]>;
  readonly placeOf: (row: Row) => LogPlace;
}

/**
 * A page, newest first. The search goes back in time over few days first and, as long as that is quick, over more and
 * more; a rare match in a large log ends a page early instead of keeping the caller waiting.
 */
export async function searchBack<Row>(search: BackwardSearch<Row>): Promise<LogPage<Row>> {
  const { range, limit } = search;
  const began = performance.now();
  const rows: Row[] = [];
  let days = search.everywhere ? EVERYWHERE : 1;
  let last = range.last;
  while (last >= range.first) {
    const window = { first: later(range.first, addDays(last, 1 - Math.min(days, EVERYWHERE))), last };
    const looked = performance.now();
    rows.push(...(await search.look(window, limit + 1 - rows.length)));
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: search.placeOf(rows[limit - 1]!) };
    last = addDays(window.first, -1);
    if (performance.now() - looked < QUICK_MS) days *= 2;
    if (last >= range.first && performance.now() - began > HAND_OVER_MS) {
      return { rows, next: { acceptedAt: Date.parse(window.first), id: '' } };
    }
  }
  return { rows, next: null };
}

/** The retained days that can hold what was accepted from `from` on and before each of `ends`, ms since the epoch. */
export function daysWithin(
  retained: RetainedDays,
  from: number | undefined,
  ...ends: readonly (number | undefined)[]
): RetainedDays {
  const lasts = [retained.last, ...ends.filter((at) => at !== undefined).map(dayOf)];
  const first = from === undefined ? retained.first : later(retained.first, dayOf(from));
  return { first, last: lasts.reduce((a, b) => (a < b ? a : b)) };
}

const later = (a: LogDay, b: LogDay): LogDay => (a > b ? a : b);
