import type { Shapes } from './client.js';

type Page = Pick<Shapes['DeliveryListDto'], 'items' | 'next_cursor'>;

/** What was cancelled because its endpoint is off. */
export interface CancelledWhileOff {
  readonly count: number;
  /** There may be more. */
  readonly isLeast: boolean;
  /** When the oldest was accepted; undefined if there may be older ones. */
  readonly from: string | undefined;
}

/** The clocks of those who cancel and of those who switch off are not the same, ms. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * Reads the newest cancelled deliveries of an endpoint. Those that were called off by hand or erased are not among what
 * its being off has cost, and none of an earlier time. What counts was accepted before it was switched off, so that a
 * search by time alone would find none of it.
 */
export function cancelledWhileOff({ items, next_cursor: next }: Page, offSince: string): CancelledWhileOff {
  const since = Date.parse(offSince) - CLOCKS_DIFFER_MS;
  const found = items.filter(
    ({ reason, completed_at: at }) => reason === 'endpoint_disabled' && at !== null && Date.parse(at) >= since,
  );
  return {
    count: found.length,
    isLeast: next !== null,
    from: next === null ? found.at(-1)?.accepted_at : undefined,
  };
}
