import { LOCKS, lockSubjectIfFree } from '../locks/session-lock.js';
import type { Transaction } from '../database/data-source.js';

/** How long a write is known by its key. */
const IDEMPOTENCY_HOURS = 24;

/** Whose key: two callers' equal keys have nothing to do with each other. */
export interface IdempotencyId {
  readonly caller: string;
  readonly key: string;
}

export interface IdempotentWrite {
  readonly requestHash: Buffer;
  /** How long ago it was made, by the database's clock. */
  readonly ageSeconds: number;
  /** Null while its caller is still being answered, and for ever if that was cut off. */
  readonly sealedAnswer: string | null;
}

/** What was done under a key within the last day. */
export async function findIdempotentWrite(
  tx: Transaction,
  { caller, key }: IdempotencyId,
): Promise<IdempotentWrite | undefined> {
  const rows: { request_hash: Buffer; age: number; sealed_answer: string | null }[] = await tx.query(
    `SELECT request_hash, extract(epoch FROM now() - claimed_at)::float8 AS age, sealed_answer FROM idempotent_writes
     WHERE caller = $1 AND key = $2 AND claimed_at > now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`,
    [caller, key],
  );
  const row = rows[0];
  return row && { requestHash: row.request_hash, ageSeconds: row.age, sealedAnswer: row.sealed_answer };
}

/**
 * Takes a key for the write that this transaction makes: it commits with it, or is free again. It does not wait for
 * another transaction that is taking the same one: callers who repeat themselves would each hold a connection meanwhile.
 * @returns false if it is being taken, or was within the last day
 */
export async function claimIdempotentWrite(
  tx: Transaction,
  { caller, key }: IdempotencyId,
  requestHash: Buffer,
): Promise<boolean> {
  if (!(await lockSubjectIfFree(tx, LOCKS.idempotentWrites, `${caller} ${key}`))) return false;
  const rows: unknown[] = await tx.query(
    `INSERT INTO idempotent_writes AS held (caller, key, request_hash, claimed_at) VALUES ($1, $2, $3, now())
     ON CONFLICT (caller, key) DO UPDATE SET request_hash = $3, claimed_at = now(), sealed_answer = NULL
     WHERE held.claimed_at <= now() - make_interval(hours => ${IDEMPOTENCY_HOURS})
     RETURNING caller`,
    [caller, key, requestHash],
  );
  return rows.length > 0;
}

/** Keeps what was answered, for whoever asks again. */
export async function keepIdempotentAnswer(
  tx: Transaction,
  { caller, key }: IdempotencyId,
  sealedAnswer: string,
): Promise<void> {
  await tx.query('UPDATE idempotent_writes SET sealed_answer = $3 WHERE caller = $1 AND key = $2', [
    caller,
    key,
    sealedAnswer,
  ]);
}

/** Forgets what is older than a day. */
export async function dropOldIdempotentWrites(tx: Transaction): Promise<void> {
  await tx.query(
    `DELETE FROM idempotent_writes WHERE claimed_at <= now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`,
  );
}
