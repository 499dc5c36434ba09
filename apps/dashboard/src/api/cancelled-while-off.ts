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

/** How the log is asked for it: what was called off by hand or erased is not what an endpoint's being off has cost. */
export const BECAUSE_OFF = { state: 'cancelled', reason: 'endpoint_disabled' } as const;

/**
 * Leaves those of an earlier time out of an endpoint's newest deliveries that were cancelled because it is off. What
 * counts was accepted before it was switched off, so that a search by time alone would find none of it.
 */
export function cancelledWhileOff({ items, next_cursor: next }: Page, offSince: string): CancelledWhileOff {
  const since = Date.parse(offSince) - CLOCKS_DIFFER_MS;
  const found = items.filter(({ completed_at: at }) => at !== null && Date.parse(at) >= since);
  return {
    count: found.length,
    isLeast: next !== null,
    from: next === null ? found.at(-1)?.accepted_at : undefined,
  };
}
