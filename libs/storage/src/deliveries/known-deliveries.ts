import { isFinal, type DeliveryState } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import { dayOf, neighbourhoodOf } from '../database/log-days.js';

/** What the log knows of a delivery: its newest generation, how far that one is, and whether it has ended. */
export interface KnownStanding {
  readonly deliveryId: string;
  readonly generation: number;
  readonly try: number;
  readonly deferrals: number;
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
    try: number;
    deferrals: number;
    state: DeliveryState;
  }[];
  return rows.map(({ delivery_id, state, ...position }) => ({
    deliveryId: delivery_id,
    generation: position.generation,
    try: position.try,
    deferrals: position.deferrals,
    isFinal: isFinal(state),
  }));
}

const FIND = `
  SELECT DISTINCT ON (delivery_id) delivery_id, generation, try, deferrals, state
  FROM deliveries WHERE delivery_id = ANY ($1::text[]) AND day = ANY ($2::date[])
  ORDER BY delivery_id, generation DESC, day DESC`;
