import { compareText, type FailureCause } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import { hourOf } from '../database/log-days.js';
import type { RecordedAttempt } from '../log-tables/attempts-table.js';
import { byHourOfEndpoint, type HourOfEndpoint } from './hour-of-endpoint.js';
import { prepared } from '../connections/prepared-statements.js';

/**
 * Counts the causes of attempts that were really inserted and have failed, tests aside; where none has, nothing is
 * written. The counters are locked in the order of their keys, after the other roll-ups, by everyone.
 */
export async function countFailures(tx: Transaction, attempts: readonly RecordedAttempt[]): Promise<void> {
  const counts = new Map<string, FailureRow>();
  for (const recorded of attempts) {
    const cause = causeOf(recorded);
    if (cause === null) continue;
    const { formId, endpointId } = recorded.record;
    const hour = hourOf(recorded.attempt.startedAt);
    const key = `${endpointId} ${hour} ${cause}`;
    const row = counts.get(key) ?? { form_id: formId, endpoint_id: endpointId, hour, cause, attempts: 0 };
    row.attempts += 1;
    counts.set(key, row);
  }
  const rows = [...counts.values()].sort((a, b) => byHourOfEndpoint(a, b) || compareText(a.cause, b.cause));
  if (rows.length > 0) await tx.query(COUNT_FAILURES, [JSON.stringify(rows)]);
}

interface FailureRow extends HourOfEndpoint {
  readonly cause: FailureCause;
  attempts: number;
}

/** The class of the status that came back, or else why none did; null for what is no failure, or a test. */
function causeOf({ attempt, record }: RecordedAttempt): FailureCause | null {
  if (record.trigger === 'test' || attempt.outcome === 'delivered') return null;
  if (attempt.error) return attempt.error.code;
  const status = attempt.response?.status ?? 0;
  if (status >= 500) return '5xx';
  return status >= 400 ? '4xx' : '3xx';
}

const COUNT_FAILURES = prepared(`
  INSERT INTO attempt_failures AS c (form_id, endpoint_id, hour, cause, attempts)
  SELECT form_id, endpoint_id, to_timestamp(hour / 1000.0), cause, attempts
  FROM json_to_recordset($1::json) AS r(form_id text, endpoint_id text, hour bigint, cause text, attempts integer)
  ON CONFLICT (form_id, endpoint_id, hour, cause) DO UPDATE SET attempts = c.attempts + excluded.attempts`);
