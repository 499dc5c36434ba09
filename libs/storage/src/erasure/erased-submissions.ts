import { FORM_ID_PATTERN, SUBMISSION_ID_PATTERN } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import { LOCKS } from '../locks/session-lock.js';

interface OfSubmission {
  readonly formId: string;
  readonly submissionId: string;
}

/** Those of a batch's submissions whose data was erased: nothing of theirs may be stored any more. */
export class ErasedSubmissions {
  private readonly keys: ReadonlySet<string>;

  constructor(erased: readonly OfSubmission[]) {
    this.keys = new Set(erased.map(keyOf));
  }

  has(of: OfSubmission): boolean {
    return this.keys.size > 0 && this.keys.has(keyOf(of));
  }
}

/**
 * Announces that the transaction will store people's data. An erasure waits, after its tombstone has committed, for all
 * who have announced themselves; who comes later reads the tombstone. Call it before any row is locked.
 * @param settings what PostgreSQL is to run the rest of the transaction with, which costs no statement of its own
 */
export async function joinLogWriters(tx: Transaction, settings: TransactionSettings = {}): Promise<void> {
  const set = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  await tx.query(`SELECT ${['pg_advisory_xact_lock_shared($1)', ...set].join(', ')}`, [LOCKS.logWriters]);
}

/** Settings of PostgreSQL by their names; they are part of a statement's text. */
type TransactionSettings = Readonly<Record<string, string>>;

/** Which of these submissions were erased; who is about to store something of theirs has joined the log's writers. */
export async function findErasedSubmissions(
  tx: Transaction,
  submissions: readonly OfSubmission[],
): Promise<ErasedSubmissions> {
  const wanted = [...new Map(submissions.map((of) => [keyOf(of), of])).values()];
  const rows = (await tx.query(FIND, [
    wanted.map((of) => of.formId),
    wanted.map((of) => of.submissionId),
  ])) as OfSubmission[];
  return new ErasedSubmissions(rows);
}

/** Ids as a message has them, which may be anything. */
export interface ClaimedSubmission {
  readonly formId: unknown;
  readonly submissionId: unknown;
}

/** Which of these were erased. What can be no id has no tombstone, and there is text that PostgreSQL refuses. */
export async function findErasedAmong(
  tx: Transaction,
  claimed: readonly ClaimedSubmission[],
): Promise<(submission: ClaimedSubmission) => boolean> {
  const submissions = claimed.filter(isSubmission);
  if (submissions.length === 0) return () => false;
  const erased = await findErasedSubmissions(tx, submissions);
  return (submission) => isSubmission(submission) && erased.has(submission);
}

const isSubmission = (claimed: ClaimedSubmission): claimed is OfSubmission =>
  typeof claimed.formId === 'string' &&
  typeof claimed.submissionId === 'string' &&
  FORM_ID_PATTERN.test(claimed.formId) &&
  SUBMISSION_ID_PATTERN.test(claimed.submissionId);

/**
 * Whoever comes behind an erasure that waits, waits as long: all who write the log. A batch of it takes a fraction of
 * this; a writer that hangs with its transaction open, or copies large payloads, can take ten times as long.
 */
const WAIT_FOR_WRITERS = '3s';

/**
 * Waits until every writer that joined before has ended. Call it after the tombstone has committed.
 * @throws QueryFailedError that `isLockTimeout` knows if one of them takes longer than seconds: try again later
 */
export async function waitForLogWriters(tx: Transaction): Promise<void> {
  await tx.query(`SET LOCAL lock_timeout = '${WAIT_FOR_WRITERS}'`);
  await tx.query('SELECT pg_advisory_xact_lock($1)', [LOCKS.logWriters]);
}

const keyOf = (of: OfSubmission): string => `${of.formId}/${of.submissionId}`;

const FIND = `
  SELECT e.form_id AS "formId", e.submission_id AS "submissionId"
  FROM erased_submissions e JOIN unnest($1::text[], $2::text[]) AS w(form_id, submission_id) USING (form_id, submission_id)`;
