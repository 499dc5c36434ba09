import type { Transaction } from '../database/data-source.js';
import { dayOfRow, type DeliveryRow } from './delivery-row.js';
import { addDays, neighbourhoodOf } from '../database/log-days.js';
import { ATTEMPTS, type AttemptRow } from '../log-tables/attempts-table.js';
import { DELIVERIES, fromStored, type StoredDelivery } from '../log-tables/deliveries-table.js';

/** An attempt as the log holds it. */
export interface StoredAttempt extends AttemptRow {
  /** Its place among the delivery's attempts, from 1. */
  readonly number: number;
}

/** More attempts than these are only counted: the newest are shown. */
const MAX_ATTEMPTS = 200;

/** The form's delivery of this id, the newest one if it was accepted again after more than a day. */
export async function findDelivery(tx: Transaction, formId: string, deliveryId: string): Promise<DeliveryRow | null> {
  const found = (await tx.query(FIND, [deliveryId, formId])) as StoredDelivery[];
  return found[0] ? fromStored(found[0]) : null;
}

/** The newest attempts of a delivery, in the order in which they were made. */
export async function attemptsOf(tx: Transaction, delivery: DeliveryRow): Promise<StoredAttempt[]> {
  const day = dayOfRow(delivery);
  const values = [delivery.identity.deliveryId, [day, addDays(day, 1)]];
  const newestFirst = (await tx.query(NEWEST_ATTEMPTS, values)) as StoredAttempt[];
  return newestFirst.reverse();
}

/** The bytes of a delivery's event; null if they were erased, or the record that brings them is still on its way. */
export async function tailOf(tx: Transaction, delivery: DeliveryRow): Promise<Buffer | null> {
  const values = [delivery.identity.eventId, neighbourhoodOf(dayOfRow(delivery))];
  const found = (await tx.query(TAIL, values)) as { tail: Buffer }[];
  return found[0]?.tail ?? null;
}

const FIND = `SELECT ${DELIVERIES.read()} FROM deliveries WHERE delivery_id = $1 AND form_id = $2 ORDER BY day DESC LIMIT 1`;

/** The attempts of one acceptance lie on its day and the next: its row keeps the first of its days. */
const NEWEST_ATTEMPTS = `
  SELECT ${ATTEMPTS.read()}, (row_number() OVER made)::integer AS number
  FROM attempts WHERE delivery_id = $1 AND day = ANY ($2::date[])
  WINDOW made AS (ORDER BY generation, try, started_at, attempt_id)
  ORDER BY number DESC LIMIT ${MAX_ATTEMPTS}`;

const TAIL = `SELECT tail FROM events WHERE event_id = $1 AND day = ANY ($2::date[]) AND tail IS NOT NULL LIMIT 1`;
