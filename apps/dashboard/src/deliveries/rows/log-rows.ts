import type { InfiniteData } from '@tanstack/react-query';
import type { Shapes } from '../../api/client.js';
import type { Delivery } from '../../api/queries.js';
import { isWhole, mergeFresh, spanOf } from './merge-fresh.js';

/** A page as it was read, and when it was asked for, ms since the epoch: of two answers the later one counts. */
export interface LogPage extends Readonly<Shapes['DeliveryListDto']> {
  readonly askedAt: number;
}

/** Pages that are kept at most: 100,000 deliveries are scrolled through, and no browser is to grow without end. */
export const MAX_PAGES = 1_000;
const MAX_ROWS = 100_000;
/** A log that nobody scrolls keeps what is new at the top only for who looks back a little. */
const MAX_ROWS_UNSCROLLED = 500;

/** Whether rows can be let in among those that are there; else the log begins anew with its newest page. */
export function hasRoom(pages: number, rows: number, fresh: number): boolean {
  return rows + fresh <= (pages <= 1 ? MAX_ROWS_UNSCROLLED : MAX_ROWS);
}

export const rowsOf = (pages: readonly LogPage[]): Delivery[] => pages.flatMap(({ items }) => items);

/** The log with its newest page let in: new rows where they belong, and without those that match no more. */
export function withHead<P>(data: InfiniteData<LogPage, P>, head: LogPage): InfiniteData<LogPage, P> {
  const listed = rowsOf(data.pages);
  const { rows, fresh, gone } = mergeFresh(data.pages, listed, head);
  const touched = pagesUntil(data.pages, spanOf(head, listed));
  const count = rowsOf(data.pages.slice(0, touched)).length;
  const items = [...rows.slice(0, count).filter((row) => !gone.has(row)), ...fresh].sort(newestFirst);
  // Else the rows that are now there would come once more with the next page.
  const isAll = isWhole(head, data.pages);
  const pages = data.pages.map((page, index) => {
    if (index >= touched) return page;
    const askedAt = Math.max(page.askedAt, head.askedAt);
    return { ...page, askedAt, items: index === 0 ? items : [], ...(isAll && { next_cursor: null }) };
  });
  return { ...data, pages };
}

/** How many pages hold the first `count` rows; one at least. */
function pagesUntil(pages: readonly LogPage[], count: number): number {
  let rows = 0;
  const last = pages.findIndex(({ items }) => (rows += items.length) >= count);
  return last === -1 ? pages.length : last + 1;
}

/** As the service sorts them. */
function newestFirst(a: Delivery, b: Delivery): number {
  const [one, other] =
    a.accepted_at === b.accepted_at ? [a.delivery_id, b.delivery_id] : [a.accepted_at, b.accepted_at];
  return one === other ? 0 : one > other ? -1 : 1;
}

/** What of a delivery changes after it was accepted. */
const CHANGING = [
  'state',
  'reason',
  'generation',
  'attempt_count',
  'next_attempt_at',
  'completed_at',
  'waits_for',
  'last_response_status',
  'last_error',
] as const satisfies readonly (keyof Delivery)[];

/**
 * The log with the row of a delivery as that delivery is now: rows below the newest page are not read again. The same
 * data if nothing of the row has changed.
 */
export function withSeen<P>(data: InfiniteData<LogPage, P>, seen: Delivery): InfiniteData<LogPage, P> {
  for (const [index, page] of data.pages.entries()) {
    const row = page.items.find(({ delivery_id: id }) => id === seen.delivery_id);
    if (row === undefined) continue;
    if (CHANGING.every((field) => row[field] === seen[field])) return data;
    const now = { ...row, ...Object.fromEntries(CHANGING.map((field) => [field, seen[field]])) };
    const items = page.items.map((one) => (one === row ? now : one));
    return { ...data, pages: data.pages.with(index, { ...page, items }) };
  }
  return data;
}
