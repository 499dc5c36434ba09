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
const BATCH_ROWS = 64;
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

/**
 * The oldest rows that nobody else is publishing, locked until the transaction ends: two replicas never publish one
 * row at the same time, and a crash gives the rows back.
 */
export async function takeOldest(tx: Transaction): Promise<OutboxRow[]> {
  const sizes: { id: string; bytes: number }[] = await tx.query(
    `SELECT id, octet_length(body) AS bytes FROM outbox ORDER BY id LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED`,
  );
  let total = 0;
  const fitting = sizes.filter(({ bytes }, index) => (total += bytes) <= BATCH_BYTES || index === 0);
  return fitting.length === 0
    ? []
    : readRows(
        tx,
        fitting.map(({ id }) => id),
      );
}

/** These rows, as far as they have not been published yet; waits for a replica that is publishing one of them. */
export async function takeThese(tx: Transaction, ids: readonly string[]): Promise<OutboxRow[]> {
  const rows: { id: string }[] = await tx.query('SELECT id FROM outbox WHERE id = ANY($1) ORDER BY id FOR UPDATE', [
    ids,
  ]);
  return rows.length === 0
    ? []
    : readRows(
        tx,
        rows.map(({ id }) => id),
      );
}

function readRows(tx: Transaction, ids: readonly string[]): Promise<OutboxRow[]> {
  return tx.query('SELECT id, kind, headers, body FROM outbox WHERE id = ANY($1) ORDER BY id', [ids]);
}

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
