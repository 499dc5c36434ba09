import type { Transaction } from '../database/data-source.js';
import { dayOfRow, type DeliveryRow } from '../deliveries/delivery-row.js';
import { groupBy } from '@form-webhooks/domain';
import { neighbourhoodOf } from '../database/log-days.js';
import { DELIVERIES, fromStored, type StoredDelivery } from '../log-tables/deliveries-table.js';
import { prepared } from '../connections/prepared-statements.js';

/**
 * The rows that these deliveries have on the same or a neighbouring day, locked until the transaction ends. All writers
 * lock in the order of ids, so that two batches with the same deliveries wait for each other and never deadlock.
 */
export async function lockDeliveries(tx: Transaction, rows: readonly DeliveryRow[]): Promise<DeliveryRow[]> {
  const ids = [...new Set(rows.map((row) => row.identity.deliveryId))];
  const days = [...new Set([...new Set(rows.map(dayOfRow))].flatMap(neighbourhoodOf))];
  const found = (await tx.query(LOCK, [ids, days])) as StoredDelivery[];
  return found.map(fromStored);
}

/** @returns those that were inserted; another writer was faster with the others. */
export async function insertDeliveries(tx: Transaction, rows: readonly DeliveryRow[]): Promise<DeliveryRow[]> {
  if (rows.length === 0) return [];
  const inserted = (await tx.query(INSERT, [JSON.stringify(rows.map((row) => DELIVERIES.rowOf(row)))])) as {
    key: string;
  }[];
  if (inserted.length === rows.length) return [...rows];
  const keys = new Set(inserted.map((row) => row.key));
  return rows.filter((row) => keys.has(`${row.identity.deliveryId} ${dayOfRow(row)}`));
}

/** Overwrites rows that the transaction has locked, found by delivery and day. */
export async function updateDeliveries(tx: Transaction, rows: readonly DeliveryRow[]): Promise<void> {
  for (const group of groupBy(rows, dayOfRow).values()) {
    await tx.query(UPDATE, [dayOfRow(group[0]!), JSON.stringify(group.map((row) => DELIVERIES.rowOf(row)))]);
  }
}

/** Removes rows that the transaction has locked, found by delivery and day. */
export async function deleteDeliveries(tx: Transaction, rows: readonly DeliveryRow[]): Promise<void> {
  for (const group of groupBy(rows, dayOfRow).values()) {
    const ids = group.map((row) => row.identity.deliveryId);
    await tx.query('DELETE FROM deliveries WHERE day = $1::date AND delivery_id = ANY ($2::text[])', [
      dayOfRow(group[0]!),
      ids,
    ]);
  }
}

const LOCK = `
  SELECT ${DELIVERIES.read()}
  FROM deliveries WHERE delivery_id = ANY ($1::text[]) AND day = ANY ($2::date[])
  ORDER BY delivery_id, day FOR UPDATE`;

const INSERT = prepared(`
  INSERT INTO deliveries (${DELIVERIES.names})
  SELECT ${DELIVERIES.values} FROM ${DELIVERIES.recordset('$1')} ORDER BY r.delivery_id, r.day
  ON CONFLICT (delivery_id, day) DO NOTHING
  RETURNING delivery_id || ' ' || to_char(day, 'YYYY-MM-DD') AS key`);

const UPDATE = `
  UPDATE deliveries d SET ${DELIVERIES.assignments} FROM ${DELIVERIES.recordset('$2')}
  WHERE d.day = $1::date AND d.delivery_id = r.delivery_id`;
