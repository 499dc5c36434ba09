import { buildTail, type FormId, type SubmissionId } from '@form-webhooks/domain';
import type { DataSource } from 'typeorm';
import type { Transaction } from '../database/data-source.js';
import { ATTEMPTS } from '../log-tables/attempts-table.js';
import { waitForLogWriters } from './erased-submissions.js';

/** A submission whose data is to go. */
export interface SubmissionKey {
  readonly formId: FormId;
  readonly submissionId: SubmissionId;
}

/**
 * Sets the tombstone: from its commit on nothing of the submission is stored any more. What is stored already goes with
 * `eraseStored`; until `finishErasure` the tombstone is among `unfinishedErasures`.
 */
export async function markErased(tx: Transaction, { formId, submissionId }: SubmissionKey, at: Date): Promise<void> {
  await tx.query(
    `INSERT INTO erased_submissions (form_id, submission_id, requested_at) VALUES ($1, $2, $3)
     ON CONFLICT (form_id, submission_id) DO UPDATE SET requested_at = excluded.requested_at, erased_at = NULL`,
    [formId, submissionId, at],
  );
}

/** Whether a submission has its tombstone, however long ago it was set. */
export async function isErased(tx: Transaction, { formId, submissionId }: SubmissionKey): Promise<boolean> {
  const found: unknown[] = await tx.query(
    'SELECT 1 FROM erased_submissions WHERE form_id = $1 AND submission_id = $2',
    [formId, submissionId],
  );
  return found.length > 0;
}

/** An erasure whose stored data hasn't gone yet: a crash or an outage came between. */
export interface UnfinishedErasure extends SubmissionKey {
  readonly requestedAt: Date;
}

/** The oldest of them, after the given one. */
export async function unfinishedErasures(
  tx: Transaction,
  limit: number,
  after?: UnfinishedErasure,
): Promise<UnfinishedErasure[]> {
  return tx.query(UNFINISHED, [limit, after?.requestedAt, after?.formId, after?.submissionId]);
}

/**
 * Erases payloads, answers and unsent copies of a submission over all days; the bare records stay. Call it after the
 * tombstone has committed. May be repeated.
 * @throws QueryFailedError also where only a writer of the log takes long: what is stored is erased another time
 */
export async function eraseStored(dataSource: DataSource, key: SubmissionKey): Promise<void> {
  // On its own, so that no writer waits longer than for those that write now.
  await dataSource.transaction(waitForLogWriters);
  await dataSource.transaction(async (tx) => {
    // First, since it waits for a copy that is being published: the log's writer must not wait with it for the broker.
    await tx.query(ERASE_UNSENT, [key.formId, key.submissionId, emptyTail(key)]);
    const found = (await tx.query(FIND, [key.formId, key.submissionId])) as Found[];
    const deliveryIds = [...new Set(found.map((row) => row.delivery_id))];
    await tx.query(ERASE_EVENTS, [key.formId, key.submissionId]);
    await tx.query(ERASE_ANSWERS, [deliveryIds]);
  });
}

/** Says that nothing is left of a submission's data: neither in the database nor in parked messages. */
export async function finishErasure(tx: Transaction, { formId, submissionId }: SubmissionKey): Promise<void> {
  await tx.query(FINISH, [formId, submissionId]);
}

interface Found {
  readonly delivery_id: string;
}

/** An envelope's tail that says nothing of anyone. */
const emptyTail = ({ formId, submissionId }: SubmissionKey): Buffer =>
  buildTail({ formId, submissionId, fields: Buffer.from('{}'), meta: Buffer.from('{}') });

const UNFINISHED = `
  SELECT form_id AS "formId", submission_id AS "submissionId", requested_at AS "requestedAt" FROM erased_submissions
  WHERE erased_at IS NULL
    AND ($2::timestamptz IS NULL OR (requested_at, form_id, submission_id) > ($2::timestamptz, $3::text, $4::text))
  ORDER BY requested_at, form_id, submission_id LIMIT $1`;

const FIND = 'SELECT delivery_id FROM deliveries WHERE form_id = $1 AND submission_id = $2';

/** Also of events that led to no delivery. */
const ERASE_EVENTS = `
  UPDATE events SET tail = NULL, idempotency_key = NULL
  WHERE form_id = $1 AND submission_id = $2 AND (tail IS NOT NULL OR idempotency_key IS NOT NULL)`;

const ERASE_ANSWERS = `
  UPDATE attempts SET ${ATTEMPTS.erasure}
  WHERE delivery_id = ANY ($1::text[]) AND (${ATTEMPTS.erasable})`;

/** A message that the relay hasn't sent yet keeps its ids, so that a dispatcher can say that it is cancelled. */
const ERASE_UNSENT = `
  UPDATE outbox SET body = $3 WHERE kind = 'delivery' AND headers->>'form_id' = $1 AND headers->>'submission_id' = $2`;

const FINISH = `UPDATE erased_submissions SET erased_at = now() WHERE form_id = $1 AND submission_id = $2`;
