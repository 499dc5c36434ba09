import { isFinal } from '@form-webhooks/domain';
import type { DeliveryMessage } from '@form-webhooks/messages';
import type { Transaction } from '../database/data-source.js';
import type { RowChange } from '../statistics/count-roll-ups.js';
import { messageOf, type DeliveryRow } from '../deliveries/delivery-row.js';
import { findErasedSubmissions, joinLogWriters } from '../erasure/erased-submissions.js';
import { tailOf } from '../deliveries/find-delivery.js';
import { updateDeliveries } from '../log-writing/store-deliveries.js';
import { DELIVERIES, fromStored, type StoredDelivery } from '../log-tables/deliveries-table.js';

/** Why a delivery can't be replayed. */
export type ReplayRefusal = 'unknown' | 'not_final' | RepeatRefusal;

/** Why a delivery can't be sent again, whatever became of it. */
export type RepeatRefusal = 'test_send' | 'payload_erased' | 'payload_missing';

/** A delivery that can be replayed, locked until the transaction ends. */
export interface ReplayableDelivery {
  readonly delivery: DeliveryRow;
  readonly nextGeneration: number;
  readonly tail: Buffer;
}

/**
 * Locks a delivery for its replay, so that of two replays at once the second finds it not final.
 * @returns why not, if it can't be replayed
 */
export async function lockReplayable(
  tx: Transaction,
  formId: string,
  deliveryId: string,
): Promise<ReplayableDelivery | ReplayRefusal> {
  const rows = await lockRows(tx, formId, deliveryId);
  const delivery = rows.at(-1);
  if (!delivery) return 'unknown';
  return refusalOf(delivery) ?? repeatable(tx, rows, delivery);
}

/** The rows of a delivery, the newest last, locked until the transaction ends. */
export async function lockRows(tx: Transaction, formId: string, deliveryId: string): Promise<DeliveryRow[]> {
  await joinLogWriters(tx);
  return ((await tx.query(LOCK, [deliveryId, formId])) as StoredDelivery[]).map(fromStored);
}

/** What its next generation needs, or why there can't be one. */
export async function repeatable(
  tx: Transaction,
  rows: readonly DeliveryRow[],
  delivery: DeliveryRow,
): Promise<ReplayableDelivery | RepeatRefusal> {
  const erased = await findErasedSubmissions(tx, [delivery.identity]);
  if (erased.has(delivery.identity)) return 'payload_erased';
  const tail = await tailOf(tx, delivery);
  if (!tail) return 'payload_missing';
  return { delivery, nextGeneration: 1 + Math.max(...rows.map((row) => row.standing.position.generation)), tail };
}

/** What follows from a replay that was begun, in the same transaction. */
export interface StartedReplay {
  /** For the dispatchers, by way of the outbox. */
  readonly message: DeliveryMessage;
  /** For `countDeliveries`, together with those of all other replays of the transaction once every row is locked. */
  readonly change: RowChange;
}

/** Begins the next generation of a locked delivery: `pending` again, due at once. */
export async function startReplay(tx: Transaction, replayable: ReplayableDelivery, at: number): Promise<StartedReplay> {
  const { delivery, nextGeneration, tail } = replayable;
  const next: DeliveryRow = {
    ...delivery,
    standing: {
      position: { generation: nextGeneration, try: 0, deferrals: 0 },
      state: 'pending',
      reason: null,
      trigger: 'replay',
      generationStartedAt: at,
      nextAttemptAt: at,
      completedAt: null,
      waitsFor: null,
    },
  };
  await updateDeliveries(tx, [next]);
  return { message: messageOf(next, tail), change: { before: [delivery], after: next } };
}

/** Test sends are sent anew rather than replayed; a second copy of one is never what its owner needs. */
function refusalOf({ standing }: DeliveryRow): ReplayRefusal | null {
  if (standing.trigger === 'test') return 'test_send';
  return isFinal(standing.state) ? null : 'not_final';
}

/** All rows of the delivery: one accepted again after more than a day has several, and a generation counts for all. */
const LOCK = `
  SELECT ${DELIVERIES.read()} FROM deliveries WHERE delivery_id = $1 AND form_id = $2 ORDER BY day FOR UPDATE`;
