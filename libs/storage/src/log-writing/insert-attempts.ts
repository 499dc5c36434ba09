import { compareText, type AttemptId } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import type { ErasedSubmissions } from '../erasure/erased-submissions.js';
import { ATTEMPTS, type RecordedAttempt } from '../log-tables/attempts-table.js';
import { prepared } from '../connections/prepared-statements.js';

/**
 * Stores attempts in the day of their own record. An attempt that is there already stays as it is.
 * @returns those that were not there
 */
export async function insertAttempts(
  tx: Transaction,
  attempts: readonly RecordedAttempt[],
  erased: ErasedSubmissions,
): Promise<RecordedAttempt[]> {
  if (attempts.length === 0) return [];
  const sorted = [...attempts].sort(
    (a, b) => compareText(a.record.deliveryId, b.record.deliveryId) || compareText(a.attempt.id, b.attempt.id),
  );
  const rows = sorted.map((recorded) => ATTEMPTS.rowOf(recorded, erased.has(recorded.record)));
  const inserted = (await tx.query(INSERT, [JSON.stringify(rows)])) as { attempt_id: AttemptId }[];
  if (inserted.length === attempts.length) return [...attempts];
  const ids = new Set(inserted.map((row) => row.attempt_id));
  return attempts.filter(({ attempt }) => ids.has(attempt.id));
}

const INSERT = prepared(`
  INSERT INTO attempts (${ATTEMPTS.names}) SELECT ${ATTEMPTS.values} FROM ${ATTEMPTS.recordset('$1')}
  ON CONFLICT (delivery_id, attempt_id, day) DO NOTHING
  RETURNING attempt_id`);
