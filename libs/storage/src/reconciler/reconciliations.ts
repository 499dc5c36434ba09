import type { FenceRecord } from '@form-webhooks/messages';
import { databaseNow } from '../database/database-clock.js';
import type { Transaction } from '../database/data-source.js';

/**
 * The phases of a reconciliation, in their order. In three of them a fence is under way: through `dispatcher.due`; then
 * through `dispatcher.events` and `dispatcher.deliveries` (where redelivered messages of `dispatcher.due` move to); then
 * through the log queue itself. In between it waits for attempts in flight, and for batches that other replicas hold.
 */
export type ReconciliationPhase = 'due' | 'deliveries' | 'settle' | 'log' | 'rest' | 'publish' | 'done';

export interface Reconciliation {
  readonly id: string;
  readonly phase: ReconciliationPhase;
  /** When its first fence was sent. */
  readonly beganAt: Date;
  readonly phaseAt: Date;
  /** When the fence of this phase was sent last; null if it has none or it wasn't sent yet. */
  readonly fenceSentAt: Date | null;
  /** The fence of this phase has come out of its queue. */
  readonly echoed: boolean;
  readonly lost: number;
  readonly republished: number;
}

/** The fence of a phase; the phase is part of the id, so that a late echo says nothing of a later one. */
export const fenceIdOf = (id: string, phase: ReconciliationPhase): string => `${id}-${phase}`;

/** Notes that a fence came out of its queue, unless its reconciliation is over it. */
export async function noteFence(tx: Transaction, fence: FenceRecord): Promise<void> {
  await tx.query(
    `UPDATE reconciliations SET echoed = true
     WHERE id || '-' || phase = $1 AND phase_at <= to_timestamp($2::bigint / 1000.0) AND NOT echoed`,
    [fence.fenceId, fence.sentAt],
  );
}

/** A reconciliation, and the time of the database: the one clock that all replicas go by. */
export interface TakenReconciliation {
  readonly row: Reconciliation;
  readonly now: Date;
}

/**
 * The unfinished reconciliation, locked until the transaction ends; a new one if the last ended longer ago than the
 * interval, or in a future that a clock set back has made of it.
 * @returns null if there is nothing to do, or another replica is at it
 */
export async function takeReconciliation(
  tx: Transaction,
  fresh: { readonly id: string; readonly intervalMs: number },
): Promise<TakenReconciliation | null> {
  const taken = (await tx.query(`SELECT ${COLUMNS} FROM reconciliations WHERE finished_at IS NULL
    FOR UPDATE SKIP LOCKED`)) as Reconciliation[];
  // Once the row is locked: what another replica has just written in it must not lie in this one's future.
  const now = await databaseNow(tx);
  if (taken[0]) return { row: taken[0], now };
  const made = (await tx.query(
    `INSERT INTO reconciliations (id, phase, began_at, phase_at)
     SELECT $1, 'due', $2, $2 WHERE NOT EXISTS (SELECT FROM reconciliations
       WHERE finished_at IS NULL OR (finished_at > $3 AND finished_at <= $2))
     ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    [fresh.id, now, new Date(now.getTime() - fresh.intervalMs)],
  )) as Reconciliation[];
  return made[0] ? { row: made[0], now } : null;
}

/** Enters a phase, or begins it anew: an echo of a fence that was sent before counts no more. */
export async function enterPhase(
  tx: Transaction,
  id: string,
  phase: Exclude<ReconciliationPhase, 'done'>,
  at: Date,
): Promise<void> {
  await tx.query(
    'UPDATE reconciliations SET phase = $2, phase_at = $3, echoed = false, fence_sent_at = NULL WHERE id = $1',
    [id, phase, at],
  );
}

export async function noteFenceSent(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.query('UPDATE reconciliations SET fence_sent_at = $2 WHERE id = $1', [id, at]);
}

/** Begins from the first fence again: what was found out so far can't be relied on any more, listed deliveries included. */
export async function restartReconciliation(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.query('DELETE FROM reconciliation_items WHERE reconciliation_id = $1', [id]);
  await tx.query('UPDATE reconciliations SET began_at = $2, lost = 0 WHERE id = $1', [id, at]);
  await enterPhase(tx, id, 'due', at);
}

/** Ends a reconciliation; those that ended before `forgetBefore` are forgotten. */
export async function finishReconciliation(tx: Transaction, id: string, at: Date, forgetBefore: Date): Promise<void> {
  await tx.query(`UPDATE reconciliations SET phase = 'done', finished_at = $2 WHERE id = $1`, [id, at]);
  await tx.query('DELETE FROM reconciliations WHERE finished_at < $1', [forgetBefore]);
}

const COLUMNS = `id, phase, began_at AS "beganAt", phase_at AS "phaseAt", fence_sent_at AS "fenceSentAt", echoed, lost, republished`;
