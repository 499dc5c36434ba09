import type { DeliveryState } from '@form-webhooks/domain';
import type { LogDay } from '../database/log-days.js';
import type { Transaction } from '../database/data-source.js';

const OPEN: readonly DeliveryState[] = ['pending', 'retrying'];

/** A delivery that should have got further by now; whether it is lost, its row doesn't say. */
export interface OverdueDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly day: LogDay;
}

/** Where a list of overdue deliveries was broken off: they are found in the order of their days and ids. */
export type OverduePlace = Pick<OverdueDelivery, 'deliveryId' | 'day'>;

/** Deliveries that are not final and were due before the given moment, those behind a place if one is given. */
export async function findOverdue(
  tx: Transaction,
  dueBefore: Date,
  limit: number,
  after: OverduePlace | null = null,
): Promise<readonly OverdueDelivery[]> {
  const place = after ? [after.day, after.deliveryId] : [BEFORE_ALL_DAYS, ''];
  return (await tx.query(OVERDUE, [dueBefore, limit, ...place])) as OverdueDelivery[];
}

/** Where the list of a reconciliation ends so far; null while it is empty. */
export async function lastListed(tx: Transaction, id: string): Promise<OverduePlace | null> {
  const rows = (await tx.query(LAST_LISTED, [id])) as OverduePlace[];
  return rows[0] ?? null;
}

/** Adds to the list of what a reconciliation is to publish again, in the order in which it was found. */
export async function listLost(tx: Transaction, id: string, lost: readonly OverdueDelivery[]): Promise<void> {
  await tx.query(LIST, [id, lost.map(({ deliveryId }) => deliveryId), lost.map(({ day }) => day)]);
  await tx.query('UPDATE reconciliations SET lost = lost + $2 WHERE id = $1', [id, lost.length]);
}

const BEFORE_ALL_DAYS = '0001-01-01';

const OVERDUE = `
  SELECT delivery_id AS "deliveryId", event_id AS "eventId", to_char(day, 'YYYY-MM-DD') AS day FROM deliveries
  WHERE state IN (${OPEN.map((state) => `'${state}'`).join(', ')})
    AND COALESCE(next_attempt_at, generation_started_at) < $1
    AND day >= $3::date AND (day > $3::date OR delivery_id > $4)
  ORDER BY deliveries.day, delivery_id
  LIMIT $2`;

const LAST_LISTED = `
  SELECT delivery_id AS "deliveryId", to_char(day, 'YYYY-MM-DD') AS day FROM reconciliation_items
  WHERE reconciliation_id = $1 ORDER BY position DESC LIMIT 1`;

const LIST = `
  INSERT INTO reconciliation_items (reconciliation_id, position, delivery_id, day)
  SELECT $1, nth + (SELECT COALESCE(max(position), 0) FROM reconciliation_items WHERE reconciliation_id = $1),
    delivery_id, day
  FROM unnest($2::text[], $3::date[]) WITH ORDINALITY AS lost(delivery_id, day, nth)`;
