import { isFinal, type DeliveryState } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import { dayOf, neighbourhoodOf } from '../database/log-days.js';

/** What the log knows of a delivery: its newest generation, and whether that one has ended. */
export interface KnownStanding {
  readonly deliveryId: string;
  readonly generation: number;
  readonly isFinal: boolean;
}

/** Those of these deliveries that the log holds. */
export async function findKnownDeliveries(
  tx: Transaction,
  asked: readonly { readonly deliveryId: string; readonly acceptedAt: number }[],
): Promise<KnownStanding[]> {
  const days = [...new Set(asked.flatMap(({ acceptedAt }) => neighbourhoodOf(dayOf(acceptedAt))))];
  const rows = (await tx.query(FIND, [asked.map(({ deliveryId }) => deliveryId), days])) as {
    delivery_id: string;
    generation: number;
    state: DeliveryState;
  }[];
  return rows.map(({ delivery_id, generation, state }) => ({
    deliveryId: delivery_id,
    generation,
    isFinal: isFinal(state),
  }));
}

const FIND = `
  SELECT DISTINCT ON (delivery_id) delivery_id, generation, state
  FROM deliveries WHERE delivery_id = ANY ($1::text[]) AND day = ANY ($2::date[])
  ORDER BY delivery_id, generation DESC, day DESC`;
