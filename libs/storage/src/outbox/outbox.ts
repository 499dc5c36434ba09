import type { Transaction } from '../database/data-source.js';
import type { OutboxKind } from './outbox-row.entity.js';

export interface OutboxMessage {
  readonly kind: OutboxKind;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
}

export interface OutboxRow extends OutboxMessage {
  readonly id: string;
}

/** Rows that one transaction takes at most: a crash repeats no more than these. */
const BATCH_ROWS = 256;
/** Bodies that are held in memory at once, unless a single one is larger. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** Puts a message in the outbox, to be published once the transaction has committed. @returns the row's id */
export async function addToOutbox(tx: Transaction, message: OutboxMessage): Promise<string> {
  const rows: { id: string }[] = await tx.query(
    'INSERT INTO outbox (kind, headers, body) VALUES ($1, $2, $3) RETURNING id',
    [message.kind, message.headers, message.body],
  );
  return rows[0]!.id;
}

/** A delivery whose payload is in the log. */
export interface LoggedDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
  /** On which its event's bytes may lie. */
  readonly days: readonly string[];
  readonly headers: OutboxMessage['headers'];
}

/**
 * Puts deliveries in the outbox whose payload the log has, from one table to the other: however large they are, nothing
 * of them is held here.
 * @returns the outbox's row of each that was put there, by its delivery id; of the others there is no payload
 */
export async function addWithPayload(
  tx: Transaction,
  deliveries: readonly LoggedDelivery[],
): Promise<ReadonlyMap<string, string>> {
  if (deliveries.length === 0) return new Map();
  const days = [...new Set(deliveries.flatMap((delivery) => delivery.days))];
  const items = deliveries.map(({ eventId, headers }) => ({ event_id: eventId, headers }));
  const added: { id: string; row_id: string }[] = await tx.query(ADD_WITH_PAYLOAD, [JSON.stringify(items), days]);
  return new Map(added.map(({ id, row_id }) => [id, row_id]));
}

/** Removes deliveries that have waited here since before a moment, without publishing them. @returns how many */
export async function removeOldDeliveries(tx: Transaction, before: Date): Promise<number> {
  const [, removed] = (await tx.query(`DELETE FROM outbox WHERE kind = 'delivery' AND created_at < $1`, [before])) as [
    unknown[],
    number,
  ];
  return removed;
}

const ADD_WITH_PAYLOAD = `
  INSERT INTO outbox (kind, headers, body)
  SELECT 'delivery', item.headers, event.tail FROM jsonb_to_recordset($1::jsonb) AS item(event_id text, headers jsonb)
  CROSS JOIN LATERAL (SELECT tail FROM events e
    WHERE e.event_id = item.event_id AND e.day = ANY ($2::date[]) AND e.tail IS NOT NULL LIMIT 1) event
  RETURNING headers->>'delivery_id' AS id, id AS row_id`;

/**
 * The oldest rows that nobody else is publishing, locked until the transaction ends: two replicas never publish one
 * row at the same time, and a crash gives the rows back.
 */
export async function takeOldest(tx: Transaction): Promise<OutboxRow[]> {
  return readRows(tx, (await tx.query(LOCK_OLDEST)) as RowSize[]);
}

/**
 * The oldest of these rows, as far as they have not been published yet; waits for a replica that is publishing one of
 * them. No more than a batch: what is left waits with all the others for `takeOldest`.
 */
export async function takeThese(tx: Transaction, ids: readonly string[]): Promise<OutboxRow[]> {
  return readRows(tx, (await tx.query(LOCK_THESE, [ids])) as RowSize[]);
}

interface RowSize {
  readonly id: string;
  readonly bytes: number;
}

/** Of what is locked as much as may be held at once. */
async function readRows(tx: Transaction, locked: readonly RowSize[]): Promise<OutboxRow[]> {
  let total = 0;
  const fitting = locked.filter(({ bytes }, index) => (total += bytes) <= BATCH_BYTES || index === 0);
  if (fitting.length === 0) return [];
  const ids = fitting.map(({ id }) => id);
  return tx.query('SELECT id, kind, headers, body FROM outbox WHERE id = ANY($1) ORDER BY id', [ids]);
}

const SIZES = 'SELECT id, octet_length(body) AS bytes FROM outbox';
const LOCK_OLDEST = `${SIZES} ORDER BY id LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED`;
const LOCK_THESE = `${SIZES} WHERE id = ANY($1) ORDER BY id LIMIT ${BATCH_ROWS} FOR UPDATE`;

export async function removeFromOutbox(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM outbox WHERE id = ANY($1)', [ids]);
}

/** How many rows wait, and for how many seconds the oldest has. */
export async function outboxBacklog(tx: Transaction): Promise<{ rows: number; oldestSeconds: number }> {
  const found: { rows: number; oldest: number | null }[] = await tx.query(
    'SELECT count(*)::int AS rows, extract(epoch FROM now() - min(created_at))::float8 AS oldest FROM outbox',
  );
  return { rows: found[0]!.rows, oldestSeconds: found[0]!.oldest ?? 0 };
}
