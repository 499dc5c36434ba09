import { addDays, dayOf, type LogDay, type RetainedDays } from '../database/log-days.js';

/** After this long a search hands over what it has found, with the place where it stopped. */
const HAND_OVER_MS = 60;
/** While a look back takes less than this, the next one goes twice as far. */
const QUICK_MS = 15;
/** More days than any log holds. */
const EVERYWHERE = 10_000;

/** A place in a list of the log, which is sorted by acceptance and id. */
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

export interface LogSearch<Row> {
  readonly range: RetainedDays;
  /** An index finds what is looked for wherever it lies: all days are looked at together. */
  readonly everywhere: boolean;
  /** The newest first by default. */
  readonly order?: 'desc' | 'asc';
  readonly limit: number;
  /** The first rows of these days, at most so many. */
  readonly look: (window: RetainedDays, limit: number) => Promise<readonly Row[]>;
  readonly placeOf: (row: Row) => LogPlace;
}

/**
 * A page. The search goes through time over few days first and, as long as that is quick, over more and more; a rare
 * match in a large log ends a page early instead of keeping the caller waiting.
 */
export async function searchLog<Row>(search: LogSearch<Row>): Promise<LogPage<Row>> {
  const { limit, order = 'desc' } = search;
  const began = performance.now();
  const rows: Row[] = [];
  let days = search.everywhere ? EVERYWHERE : 1;
  let open = search.range;
  while (open.first <= open.last) {
    const window = nextWindow(open, days, order);
    const looked = performance.now();
    rows.push(...(await search.look(window, limit + 1 - rows.length)));
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: search.placeOf(rows[limit - 1]!) };
    open = without(open, window, order);
    if (performance.now() - looked < QUICK_MS) days *= 2;
    if (open.first <= open.last && performance.now() - began > HAND_OVER_MS) {
      return { rows, next: { acceptedAt: Date.parse(order === 'desc' ? window.first : open.first), id: '' } };
    }
  }
  return { rows, next: null };
}

function nextWindow({ first, last }: RetainedDays, days: number, order: 'desc' | 'asc'): RetainedDays {
  const further = Math.min(days, EVERYWHERE) - 1;
  return order === 'desc'
    ? { first: later(first, addDays(last, -further)), last }
    : { first, last: earlier(last, addDays(first, further)) };
}

const without = (open: RetainedDays, window: RetainedDays, order: 'desc' | 'asc'): RetainedDays =>
  order === 'desc' ? { ...open, last: addDays(window.first, -1) } : { ...open, first: addDays(window.last, 1) };

/** The retained days that can hold what was accepted at or after each of `starts` and before each of `ends`, ms since the epoch. */
export function daysWithin(
  retained: RetainedDays,
  starts: readonly (number | undefined)[],
  ends: readonly (number | undefined)[],
): RetainedDays {
  return {
    first: daysOf(starts).reduce(later, retained.first),
    last: daysOf(ends).reduce(earlier, retained.last),
  };
}

const daysOf = (moments: readonly (number | undefined)[]): LogDay[] =>
  moments.filter((at) => at !== undefined).map(dayOf);

const later = (a: LogDay, b: LogDay): LogDay => (a > b ? a : b);
const earlier = (a: LogDay, b: LogDay): LogDay => (a < b ? a : b);
