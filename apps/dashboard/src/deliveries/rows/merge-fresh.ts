import type { Delivery } from '../../api/queries.js';

export interface Merged {
  /** What is listed, each as it was last seen. */
  readonly rows: readonly Delivery[];
  /** What is not listed yet, newest first. */
  readonly fresh: readonly Delivery[];
}

/**
 * What is listed together with the newest page of the log. That page holds nothing older than its last row, so a long
 * list is looked through only as far as that: else each change would cost what all rows cost.
 */
export function mergeFresh(listed: readonly Delivery[], head: readonly Delivery[]): Merged {
  const oldest = head.at(-1)?.accepted_at;
  if (oldest === undefined) return { rows: listed, fresh: [] };
  const end = listed.findLastIndex(({ accepted_at: at }) => at >= oldest) + 1;
  const recent = listed.slice(0, end);
  const newest = new Map(head.map((one) => [one.delivery_id, one]));
  const known = new Set(recent.map(({ delivery_id: id }) => id));
  return {
    rows: [...recent.map((one) => newest.get(one.delivery_id) ?? one), ...listed.slice(end)],
    fresh: head.filter(({ delivery_id: id }) => !known.has(id)),
  };
}
