import { isFinal } from '@form-webhooks/domain';
import { deliveryHeaders } from '@form-webhooks/messages';
import type { Transaction } from '../database/data-source.js';
import { neighbourhoodOf } from '../database/log-days.js';
import { dayOfRow, messageOf, type DeliveryRow } from '../deliveries/delivery-row.js';
import { findErasedSubmissions, joinLogWriters } from '../erasure/erased-submissions.js';
import { DELIVERIES, fromStored, type StoredDelivery } from '../log-tables/deliveries-table.js';
import { updateDeliveries } from '../log-writing/store-deliveries.js';
import { addWithPayload } from '../outbox/outbox.js';
import { countDeliveries } from '../statistics/count-roll-ups.js';

/** What is taken off the list at a time, and what of it counts. */
export interface LostBatch {
  readonly size: number;
  /** What is due later has got further since it was listed. */
  readonly dueBefore: Date;
  /** What began before is too old to be sent: it ends. */
  readonly tooOldBefore: Date;
  readonly at: Date;
}

/** What became of a batch. */
export interface RepublishedBatch {
  readonly republished: number;
  /** Ended as too old. */
  readonly expired: number;
  /** Ended, since their submission's data was erased. */
  readonly erased: number;
  /** Ended, since their payload is not in the log: nothing can bring them back. */
  readonly withoutPayload: number;
  /** The list is empty. */
  readonly last: boolean;
}

/**
 * Takes the next deliveries off the list and puts them in the outbox: the same generation and try, due now. What has got
 * further meanwhile is left alone. Payloads go from table to table and never through this process.
 */
export async function republishLost(tx: Transaction, id: string, batch: LostBatch): Promise<RepublishedBatch> {
  await joinLogWriters(tx);
  const [taken] = (await tx.query(TAKE, [id, batch.size])) as [{ delivery_id: string; day: string }[], number];
  const values = [taken.map((item) => item.delivery_id), taken.map((item) => item.day)];
  const rows = ((await tx.query(LOCK, values)) as StoredDelivery[]).map(fromStored);
  const lost = rows.filter((row) => isLost(row, batch.dueBefore));
  const isTooOld = (row: DeliveryRow): boolean => row.standing.generationStartedAt < batch.tooOldBefore.getTime();
  const tooOld = lost.filter(isTooOld);
  const isErased = await erasedAmong(tx, lost);
  const erased = lost.filter((row) => !isTooOld(row) && isErased(row));
  const due = lost.filter((row) => !isTooOld(row) && !isErased(row)).map((row) => dueNow(row, batch.at));
  const published = await putInOutbox(tx, id, due);
  const without = due.filter((row) => !published.has(row));
  await updateDeliveries(tx, [...published]);
  await end(tx, batch.at, [
    { rows: tooOld, as: { state: 'failed', reason: 'expired' } },
    { rows: erased, as: { state: 'cancelled', reason: 'submission_erased' } },
    { rows: without, as: { state: 'failed', reason: 'payload_missing' } },
  ]);
  await tx.query('UPDATE reconciliations SET republished = republished + $2 WHERE id = $1', [id, published.size]);
  return {
    republished: published.size,
    expired: tooOld.length,
    erased: erased.length,
    withoutPayload: without.length,
    last: taken.length < batch.size,
  };
}

async function erasedAmong(tx: Transaction, rows: readonly DeliveryRow[]): Promise<(row: DeliveryRow) => boolean> {
  const submissions = rows.map((row) => row.identity);
  const erased = await findErasedSubmissions(tx, submissions);
  return ({ identity }) => erased.has(identity);
}

/** @returns those whose payload was there */
async function putInOutbox(
  tx: Transaction,
  id: string,
  rows: readonly DeliveryRow[],
): Promise<ReadonlySet<DeliveryRow>> {
  const added = await addWithPayload(
    tx,
    rows.map((row) => outboxItem(row, id)),
  );
  return new Set(rows.filter(({ identity }) => added.has(identity.deliveryId)));
}

const NO_TAIL = Buffer.alloc(0);

const outboxItem = (row: DeliveryRow, id: string) => ({
  deliveryId: row.identity.deliveryId,
  eventId: row.identity.eventId,
  days: neighbourhoodOf(dayOfRow(row)),
  headers: deliveryHeaders({ ...messageOf(row, NO_TAIL), republishedBy: id }),
});

interface Ended {
  readonly rows: readonly DeliveryRow[];
  readonly as: Pick<DeliveryRow['standing'], 'state' | 'reason'>;
}

/**
 * Ends deliveries where they stand: should one have been under way all the same, what is told of it later replaces this.
 */
async function end(tx: Transaction, at: Date, ended: readonly Ended[]): Promise<void> {
  const changes = ended.flatMap(({ rows, as }) => rows.map((row) => ({ before: [row], after: endedAs(row, as, at) })));
  await updateDeliveries(
    tx,
    changes.map(({ after }) => after),
  );
  await countDeliveries(tx, changes);
}

const endedAs = (row: DeliveryRow, as: Ended['as'], at: Date): DeliveryRow => ({
  ...row,
  standing: { ...row.standing, ...as, nextAttemptAt: null, completedAt: at.getTime(), waitsFor: null },
});

const dueNow = (row: DeliveryRow, at: Date): DeliveryRow => ({
  ...row,
  standing: { ...row.standing, nextAttemptAt: at.getTime() },
});

const dueAtOf = ({ standing }: DeliveryRow): number => standing.nextAttemptAt ?? standing.generationStartedAt;

const isLost = (row: DeliveryRow, dueBefore: Date): boolean =>
  !isFinal(row.standing.state) && dueAtOf(row) < dueBefore.getTime();

const TAKE = `
  DELETE FROM reconciliation_items WHERE reconciliation_id = $1 AND position IN (
    SELECT position FROM reconciliation_items WHERE reconciliation_id = $1 ORDER BY position LIMIT $2)
  RETURNING delivery_id, to_char(day, 'YYYY-MM-DD') AS day`;

const LOCK = `
  SELECT ${DELIVERIES.read()} FROM deliveries
  WHERE (delivery_id, day) IN (SELECT * FROM unnest($1::text[], $2::date[])) AND day = ANY ($2::date[])
  ORDER BY delivery_id, day FOR UPDATE`;
