import { isFinal, type DeliveryState } from '@form-webhooks/domain';
import type { DeliveryMessage } from '@form-webhooks/messages';
import type { Transaction } from '../database/data-source.js';
import { emptyTail } from '../erasure/erase-submission.js';
import { findErasedSubmissions, joinLogWriters } from '../erasure/erased-submissions.js';
import type { DeliveryRow } from '../deliveries/delivery-row.js';
import { tailOf } from '../deliveries/find-delivery.js';
import type { LogDay } from '../database/log-days.js';
import { messageOf } from '../replays/replay-delivery.js';
import { updateDeliveries } from '../log-writing/store-deliveries.js';
import { DELIVERIES, fromStored, type StoredDelivery } from '../log-tables/deliveries-table.js';

const OPEN: readonly DeliveryState[] = ['pending', 'retrying'];

/** A delivery that should have got further by now; whether it is lost, its row doesn't say. */
export interface OverdueDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly day: LogDay;
}

/** Deliveries that are not final and were due before the given moment. */
export async function findOverdue(
  tx: Transaction,
  dueBefore: Date,
  limit: number,
): Promise<readonly OverdueDelivery[]> {
  return (await tx.query(OVERDUE, [dueBefore, limit])) as OverdueDelivery[];
}

/** Lists what a reconciliation is to publish again. */
export async function listLost(tx: Transaction, id: string, lost: readonly OverdueDelivery[]): Promise<void> {
  await tx.query(LIST, [id, lost.map(({ deliveryId }) => deliveryId), lost.map(({ day }) => day)]);
  await tx.query('UPDATE reconciliations SET lost = $2 WHERE id = $1', [id, lost.length]);
}

export interface RepublishedBatch {
  /** For the outbox of the same transaction. */
  readonly messages: readonly DeliveryMessage[];
  /** Lost deliveries whose payload is not in the log: nothing can bring them back. */
  readonly withoutPayload: number;
  /** The list is empty. */
  readonly last: boolean;
}

/**
 * Takes the next deliveries off the list and makes their messages: the same generation and try, due now. What has got
 * further meanwhile is left alone.
 */
export async function republishLost(
  tx: Transaction,
  id: string,
  batch: { readonly size: number; readonly dueBefore: Date; readonly at: Date },
): Promise<RepublishedBatch> {
  await joinLogWriters(tx);
  const [taken] = (await tx.query(TAKE, [id, batch.size])) as [{ delivery_id: string; day: string }[], number];
  const values = [taken.map((item) => item.delivery_id), taken.map((item) => item.day)];
  const rows = ((await tx.query(LOCK, values)) as StoredDelivery[]).map(fromStored);
  const lost = rows.filter((row) => isLost(row, batch.dueBefore));
  const erased = await findErasedSubmissions(
    tx,
    lost.map((row) => row.identity),
  );
  const messages: DeliveryMessage[] = [];
  const due: DeliveryRow[] = [];
  for (const row of lost) {
    // A dispatcher finds that an erased submission's delivery is cancelled; that takes ids, and no data.
    const tail = erased.has(row.identity) ? emptyTail(row.identity) : await tailOf(tx, row);
    if (!tail) continue;
    const next = { ...row, standing: { ...row.standing, nextAttemptAt: batch.at.getTime() } };
    due.push(next);
    messages.push({ ...messageOf(next, tail), republishedBy: id });
  }
  await updateDeliveries(tx, due);
  await tx.query('UPDATE reconciliations SET republished = republished + $2 WHERE id = $1', [id, messages.length]);
  return { messages, withoutPayload: lost.length - messages.length, last: taken.length < batch.size };
}

const dueAtOf = ({ standing }: DeliveryRow): number => standing.nextAttemptAt ?? standing.generationStartedAt;

const isLost = (row: DeliveryRow, dueBefore: Date): boolean =>
  !isFinal(row.standing.state) && dueAtOf(row) < dueBefore.getTime();

const OVERDUE = `
  SELECT delivery_id AS "deliveryId", event_id AS "eventId", to_char(day, 'YYYY-MM-DD') AS day FROM deliveries
  WHERE state IN (${OPEN.map((state) => `'${state}'`).join(', ')})
    AND COALESCE(next_attempt_at, generation_started_at) < $1
  LIMIT $2`;

const LIST = `
  INSERT INTO reconciliation_items (reconciliation_id, position, delivery_id, day)
  SELECT $1, row_number() OVER (ORDER BY delivery_id, day), delivery_id, day
  FROM unnest($2::text[], $3::date[]) AS lost(delivery_id, day)`;

const TAKE = `
  DELETE FROM reconciliation_items WHERE reconciliation_id = $1 AND position IN (
    SELECT position FROM reconciliation_items WHERE reconciliation_id = $1 ORDER BY position LIMIT $2)
  RETURNING delivery_id, to_char(day, 'YYYY-MM-DD') AS day`;

const LOCK = `
  SELECT ${DELIVERIES.read()} FROM deliveries
  WHERE (delivery_id, day) IN (SELECT * FROM unnest($1::text[], $2::date[])) AND day = ANY ($2::date[])
  ORDER BY delivery_id, day FOR UPDATE`;
