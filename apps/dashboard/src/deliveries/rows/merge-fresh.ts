import type { Delivery } from '../../api/queries.js';
import type { LogPage } from './log-rows.js';

export interface Merged {
  /** What is listed, each as it was last seen. */
  readonly rows: readonly Delivery[];
  /** What belongs among it and is not listed yet, newest first. */
  readonly fresh: readonly Delivery[];
  /** What is listed and matches no more. */
  readonly gone: ReadonlySet<Delivery>;
  /** More has come than the newest page holds: what lies between it and the list is missing. */
  readonly isGap: boolean;
}

/**
 * What is listed together with the newest page of the log, read anew. That page is all there is from its oldest row on:
 * what it lacks there matches no more. It says nothing of what is older, so a long list is looked through only as far as
 * that, else each change would cost what all rows cost; and nothing of pages that were read after it.
 */
export function mergeFresh(pages: readonly LogPage[], listed: readonly Delivery[], head: LogPage | undefined): Merged {
  if (head === undefined || head.askedAt < (pages[0]?.askedAt ?? 0))
    return { rows: listed, fresh: [], gone: new Set(), isGap: false };
  const span = spanOf(head, listed);
  const known = new Set(listed.slice(0, span).map(({ delivery_id: id }) => id));
  const now = new Map(head.items.map((one) => [one.delivery_id, one]));
  const recent = listed
    .slice(0, Math.min(span, settledRows(pages, head)))
    .map((one) => now.get(one.delivery_id) ?? one);
  const last = head.next_cursor === null ? undefined : head.items.at(-1)?.accepted_at;
  // Others can have been accepted in the same moment as its last row, and stand on the page after it.
  const isGone = ({ delivery_id: id, accepted_at: at }: Delivery): boolean =>
    !now.has(id) && (last === undefined || at > last);
  const goesOn = (pages.at(-1)?.next_cursor ?? null) !== null && !isWhole(head, pages);
  return {
    rows: [...recent, ...listed.slice(recent.length)],
    fresh: belonging(head.items, known, goesOn ? listed.at(-1)?.accepted_at : undefined),
    gone: new Set(recent.filter(isGone)),
    isGap: head.next_cursor !== null && head.items.length > 0 && !head.items.some((one) => known.has(one.delivery_id)),
  };
}

/** Whether the newest page is all that matches. */
export const isWhole = (head: LogPage, pages: readonly LogPage[]): boolean =>
  head.next_cursor === null && pages.every(({ askedAt }) => askedAt <= head.askedAt);

/** How many of the first rows were read before the newest page was asked for. */
function settledRows(pages: readonly LogPage[], head: LogPage): number {
  const newer = pages.findIndex(({ askedAt }) => askedAt > head.askedAt);
  return pages.slice(0, newer === -1 ? pages.length : newer).reduce((sum, { items }) => sum + items.length, 0);
}

/** How many of the first rows are as new as the oldest of the newest page: all, if that page is the whole log. */
export function spanOf(head: LogPage, listed: readonly Delivery[]): number {
  if (head.next_cursor === null) return listed.length;
  const oldest = head.items.at(-1)?.accepted_at;
  return oldest === undefined ? 0 : listed.findLastIndex(({ accepted_at: at }) => at >= oldest) + 1;
}

/**
 * What is not listed.
 * @param end when the last row that is listed was accepted, if older ones come with the next page of the list
 */
function belonging(head: readonly Delivery[], known: ReadonlySet<string>, end: string | undefined): Delivery[] {
  const lastKnown = head.findLastIndex(({ delivery_id: id }) => known.has(id));
  return head.filter(
    ({ delivery_id: id, accepted_at: at }, index) =>
      !known.has(id) && (index < lastKnown || end === undefined || at > end),
  );
}
