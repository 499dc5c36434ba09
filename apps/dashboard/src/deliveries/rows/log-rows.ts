import type { InfiniteData } from '@tanstack/react-query';
import type { Shapes } from '../../api/client.js';
import type { Delivery } from '../../api/queries.js';

export type Page = Shapes['DeliveryListDto'];

/** Pages that are kept at most: 100,000 deliveries are scrolled through, and no browser is to grow without end. */
export const MAX_PAGES = 1_000;
const MAX_ROWS = 100_000;
/** A log that nobody scrolls keeps what is new at the top only for who looks back a little. */
const MAX_ROWS_UNSCROLLED = 500;

/** Whether rows can be let in above those that are there; else the log begins anew with its newest page. */
export function hasRoom(pages: number, rows: number, fresh: number): boolean {
  return rows + fresh <= (pages <= 1 ? MAX_ROWS_UNSCROLLED : MAX_ROWS);
}

/** The log with new rows above the others. */
export function withFresh<P>(data: InfiniteData<Page, P>, fresh: readonly Delivery[]): InfiniteData<Page, P> {
  const [first, ...others] = data.pages;
  if (first === undefined) return data;
  return { ...data, pages: [{ ...first, items: [...fresh, ...first.items] }, ...others] };
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
export function withSeen<P>(data: InfiniteData<Page, P>, seen: Delivery): InfiniteData<Page, P> {
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
