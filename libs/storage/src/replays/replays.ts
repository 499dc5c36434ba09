import { compareText } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import type { AfterRow } from '../database/after-row.js';

export type ReplayState = 'running' | 'done' | 'cancelled';

/** A job that replays many deliveries of a form. */
export interface ReplayJob {
  readonly id: string;
  readonly workspaceId: string;
  readonly formId: string;
  /** As its maker wrote it; empty if the deliveries were named. */
  readonly filter: unknown;
  readonly state: ReplayState;
  /** Deliveries that were chosen when it was made; each ends up replayed or skipped. */
  readonly matched: number;
  readonly replayed: number;
  readonly skipped: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** A delivery on a job's list. */
export interface ReplayItem {
  readonly deliveryId: string;
  /** Of its newest row when it was chosen; null if the job was made by a version that didn't note it. */
  readonly generation: number | null;
}

export async function findReplay(tx: Transaction, formId: string, id: string): Promise<ReplayJob | null> {
  const rows = (await tx.query(`SELECT ${COLUMNS} FROM replays WHERE id = $1 AND form_id = $2`, [
    id,
    formId,
  ])) as ReplayJob[];
  return rows[0] ?? null;
}

/** The jobs of a form, newest first. */
export function listReplays(tx: Transaction, formId: string, limit: number, after?: AfterRow): Promise<ReplayJob[]> {
  const beyond = after ? 'AND (created_at, id) < ($3, $4)' : '';
  const sql = `SELECT ${COLUMNS} FROM replays WHERE form_id = $1 ${beyond} ORDER BY created_at DESC, id DESC LIMIT $2`;
  return tx.query(sql, [formId, limit, ...(after ? [after.createdAt, after.id] : [])]);
}

/** How many jobs of a form, and of its workspace, are running. */
export async function countRunningReplays(
  tx: Transaction,
  workspaceId: string,
  formId: string,
): Promise<{ readonly ofForm: number; readonly ofWorkspace: number }> {
  const rows = (await tx.query(
    `SELECT count(*) FILTER (WHERE form_id = $2)::int AS "ofForm", count(*)::int AS "ofWorkspace"
     FROM replays WHERE state = 'running' AND workspace_id = $1`,
    [workspaceId, formId],
  )) as { ofForm: number; ofWorkspace: number }[];
  return rows[0]!;
}

/** Ends a running job; what it hasn't replayed yet it never will. Waits for a batch of it that is under way. */
export async function endReplay(
  tx: Transaction,
  id: string,
  state: Exclude<ReplayState, 'running'>,
  at: Date,
): Promise<boolean> {
  const [ended] = (await tx.query(
    `UPDATE replays SET state = $2, finished_at = $3 WHERE id = $1 AND state = 'running' RETURNING id`,
    [id, state, at],
  )) as [unknown[], number];
  if (ended.length === 0) return false;
  await tx.query('DELETE FROM replay_items WHERE replay_id = $1', [id]);
  return true;
}

/** Whether there is a job that runs: only then is it worth a transaction to take one. */
export async function anyReplayRuns(tx: Transaction): Promise<boolean> {
  const [{ runs }] = (await tx.query("SELECT EXISTS (SELECT FROM replays WHERE state = 'running') AS runs")) as [
    { readonly runs: boolean },
  ];
  return runs;
}

/**
 * The running job whose turn it is, locked until the transaction ends; null if none is due that nobody works at. A turn
 * further off than any pause between batches was set by a clock that has been set back since, and is due.
 */
export async function takeDueReplay(tx: Transaction, at: Date): Promise<ReplayJob | null> {
  const rows = (await tx.query(
    `SELECT ${COLUMNS} FROM replays WHERE state = 'running' AND (next_batch_at <= $1 OR next_batch_at > $1 + interval '1 hour')
     ORDER BY next_batch_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [at],
  )) as ReplayJob[];
  return rows[0] ?? null;
}

/** Takes the next deliveries off a job's list, in the order in which they are to be locked. */
export async function takeReplayItems(tx: Transaction, id: string, count: number): Promise<ReplayItem[]> {
  const [rows] = (await tx.query(
    `DELETE FROM replay_items WHERE replay_id = $1 AND position IN (
       SELECT position FROM replay_items WHERE replay_id = $1 ORDER BY position LIMIT $2)
     RETURNING delivery_id AS "deliveryId", generation`,
    [id, count],
  )) as [ReplayItem[], number];
  return rows.sort((a, b) => compareText(a.deliveryId, b.deliveryId));
}

/** Counts a batch, and says when the next one may begin. */
export async function recordReplayProgress(
  tx: Transaction,
  id: string,
  progress: { readonly replayed: number; readonly skipped: number; readonly nextBatchAt: Date },
): Promise<void> {
  await tx.query(
    'UPDATE replays SET replayed = replayed + $2, skipped = skipped + $3, next_batch_at = $4 WHERE id = $1',
    [id, progress.replayed, progress.skipped, progress.nextBatchAt],
  );
}

const COLUMNS = `id, workspace_id AS "workspaceId", form_id AS "formId", filter, state, matched, replayed, skipped,
  created_at AS "createdAt", finished_at AS "finishedAt"`;
