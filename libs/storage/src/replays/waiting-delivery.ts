import { afterAllTries, FIRST_POSITION, isFinal } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import type { DeliveryRow } from '../deliveries/delivery-row.js';
import { updateDeliveries } from '../log-writing/store-deliveries.js';
import type { RowChange } from '../statistics/count-roll-ups.js';
import { lockRows, repeatable, type RepeatRefusal, type ReplayableDelivery } from './replay-delivery.js';

/** Why a delivery is not one that waits. */
export type NotWaiting = 'unknown' | 'final' | 'due_now';

/**
 * Locks a delivery that waits, for its next attempt or after a deferral, so that its next generation can begin at once.
 * The message that waits is stale then: a dispatcher asks the log before it attempts what waited, and finds a later
 * generation there. @returns why not, if it doesn't wait or can't be sent again
 */
export async function lockRetryable(
  tx: Transaction,
  formId: string,
  deliveryId: string,
): Promise<ReplayableDelivery | NotWaiting | RepeatRefusal> {
  const rows = await lockRows(tx, formId, deliveryId);
  const delivery = rows.at(-1);
  if (!delivery) return 'unknown';
  const refusal = notWaiting(delivery);
  if (refusal) return refusal;
  // A test send has one attempt; its owner sends another test.
  return delivery.standing.trigger === 'test' ? 'test_send' : repeatable(tx, rows, delivery);
}

/** Locks a delivery that waits, so that it can be called off. @returns why not, if it doesn't wait */
export async function lockWaiting(
  tx: Transaction,
  formId: string,
  deliveryId: string,
): Promise<DeliveryRow | NotWaiting> {
  const delivery = (await lockRows(tx, formId, deliveryId)).at(-1);
  return delivery ? (notWaiting(delivery) ?? delivery) : 'unknown';
}

/** Calls a locked delivery off. @returns what `countDeliveries` needs */
export async function cancelWaiting(tx: Transaction, delivery: DeliveryRow, at: number): Promise<RowChange> {
  const { standing } = delivery;
  const after: DeliveryRow = {
    ...delivery,
    standing: {
      ...standing,
      position: afterAllTries(standing.position),
      state: 'cancelled',
      reason: 'cancelled_by_owner',
      nextAttemptAt: null,
      completedAt: at,
      waitsFor: null,
    },
  };
  await updateDeliveries(tx, [after]);
  return { before: [delivery], after };
}

/**
 * What nothing was done for yet is on its way to its first attempt, not waiting: no dispatcher asks the log about it
 * before it makes that attempt, so neither a second message nor a cancellation could keep it from being made.
 */
function notWaiting({ standing }: DeliveryRow): Exclude<NotWaiting, 'unknown'> | undefined {
  if (isFinal(standing.state)) return 'final';
  const { try: tryIndex, deferrals } = standing.position;
  return tryIndex === FIRST_POSITION.try && deferrals === FIRST_POSITION.deferrals ? 'due_now' : undefined;
}
