import { isFinal } from '@form-webhooks/domain';
import type { DeliveryMessage } from '@form-webhooks/messages';
import type { Transaction } from '../data-source.js';
import { countDeliveries } from './count-roll-ups.js';
import type { DeliveryRow } from './delivery-row.js';
import { findErasedSubmissions, joinLogWriters } from './erased-submissions.js';
import { tailOf } from './find-delivery.js';
import { updateDeliveries } from './store-deliveries.js';
import { fromStored, readColumns, type StoredDelivery } from './stored-delivery.js';

/** Why a delivery can't be replayed. */
export type ReplayRefusal = 'unknown' | 'not_final' | 'test_send' | 'payload_erased' | 'payload_missing';

/** What a replay begins with: the message for the dispatchers, to be put in the outbox of the same transaction. */
export type ReplayStart =
  | { readonly started: true; readonly delivery: DeliveryRow; readonly message: DeliveryMessage }
  | { readonly started: false; readonly why: ReplayRefusal };

/**
 * Begins the next generation of a delivery: `pending` again, due at once. The row stays locked until the transaction
 * ends, so that two replays at once make one generation, and the second finds it not final.
 */
export async function replayDelivery(
  tx: Transaction,
  formId: string,
  deliveryId: string,
  at: number,
): Promise<ReplayStart> {
  await joinLogWriters(tx);
  const rows = ((await tx.query(LOCK, [deliveryId, formId])) as StoredDelivery[]).map(fromStored);
  const newest = rows.at(-1);
  const why = refusalOf(newest);
  if (!newest || why) return { started: false, why: why ?? 'unknown' };
  const erased = await findErasedSubmissions(tx, [newest.identity]);
  if (erased.has(newest.identity)) return { started: false, why: 'payload_erased' };
  const tail = await tailOf(tx, newest);
  if (!tail) return { started: false, why: 'payload_missing' };
  const generation = 1 + Math.max(...rows.map((row) => row.standing.position.generation));
  const delivery = nextGeneration(newest, generation, at);
  await updateDeliveries(tx, [delivery]);
  await countDeliveries(tx, [{ before: [newest], after: delivery }]);
  return { started: true, delivery, message: messageOf(delivery, tail) };
}

/** Test sends are sent anew rather than replayed; a second copy of one is never what its owner needs. */
function refusalOf(row: DeliveryRow | undefined): ReplayRefusal | null {
  if (!row) return 'unknown';
  if (row.standing.trigger === 'test') return 'test_send';
  return isFinal(row.standing.state) ? null : 'not_final';
}

const nextGeneration = (row: DeliveryRow, generation: number, at: number): DeliveryRow => ({
  ...row,
  standing: {
    position: { generation, try: 0, deferrals: 0 },
    state: 'pending',
    reason: null,
    trigger: 'replay',
    generationStartedAt: at,
    nextAttemptAt: at,
    completedAt: null,
  },
});

/** The message of a delivery as it stands, due when its row says. */
export function messageOf({ identity, standing, acceptedAt }: DeliveryRow, tail: Buffer): DeliveryMessage {
  return {
    ...identity,
    acceptedAt,
    tail,
    position: standing.position,
    generationStartedAt: standing.generationStartedAt,
    dueAt: standing.nextAttemptAt ?? standing.generationStartedAt,
    trigger: standing.trigger,
  };
}

/** All rows of the delivery: one accepted again after more than a day has several, and a generation counts for all. */
const LOCK = `
  SELECT ${readColumns()} FROM deliveries WHERE delivery_id = $1 AND form_id = $2 ORDER BY day FOR UPDATE`;
