import { addDays, dayOf, type LogDay, type RetainedDays } from '../database/log-days.js';

/** After this long a search hands over what it has found, with the place where it stopped. */
const HAND_OVER_MS = 60;
/** While a look back takes less than this, the next one goes twice as far. */
const QUICK_MS = 15;
/** More days than any log holds. */
const EVERYWHERE = 10_000;

export interface BackwardSearch<Row> {
  readonly range: RetainedDays;
  /** An index finds what is looked for wherever it lies: all days are looked at together. */
  readonly everywhere: boolean;
  readonly limit: number;
  /** The newest rows of these days, at most so many. */
  readonly look: (window: RetainedDays, limit: number) => Promise<readonly Row[]>;
}

/**
 * Up to one row more than the limit, newest first. The search goes back in time over few days first and, as long as that
 * is quick, over more and more; a rare match in a large log ends a page early instead of keeping the caller waiting.
 * @returns with `cutOffAt` the moment from which on all was looked at, ms, if it ended early
 */
export async function searchBack<Row>(search: BackwardSearch<Row>): Promise<{ rows: Row[]; cutOffAt: number | null }> {
  const { range, limit } = search;
  const began = performance.now();
  const rows: Row[] = [];
  let days = search.everywhere ? EVERYWHERE : 1;
  let last = range.last;
  while (last >= range.first) {
    const window = { first: later(range.first, addDays(last, 1 - Math.min(days, EVERYWHERE))), last };
    const looked = performance.now();
    rows.push(...(await search.look(window, limit + 1 - rows.length)));
    if (rows.length > limit) return { rows, cutOffAt: null };
    last = addDays(window.first, -1);
    if (performance.now() - looked < QUICK_MS) days *= 2;
    if (last >= range.first && performance.now() - began > HAND_OVER_MS) {
      return { rows, cutOffAt: Date.parse(window.first) };
    }
  }
  return { rows, cutOffAt: null };
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
