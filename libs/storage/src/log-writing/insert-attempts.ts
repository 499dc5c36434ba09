import type { AttemptId } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import { databaseText } from './database-text.js';
import { compareText } from '../deliveries/delivery-row.js';
import type { ErasedSubmissions } from '../erasure/erased-submissions.js';
import type { RecordedAttempt } from './fold-records.js';
import { dayOf } from '../database/log-days.js';

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
  const rows = sorted.map((recorded) => rowOf(recorded, erased.has(recorded.record)));
  const inserted = (await tx.query(INSERT, [JSON.stringify(rows)])) as { attempt_id: AttemptId }[];
  if (inserted.length === attempts.length) return [...attempts];
  const ids = new Set(inserted.map((row) => row.attempt_id));
  return attempts.filter(({ attempt }) => ids.has(attempt.id));
}

function rowOf({ attempt, record }: RecordedAttempt, erased: boolean): Record<string, unknown> {
  const { response, error } = attempt;
  return {
    started_at: attempt.startedAt,
    body_timestamp: attempt.timestamp,
    day: dayOf(record.acceptedAt),
    duration_ms: Math.round(attempt.durationMs),
    generation: record.position.generation,
    try: attempt.try,
    endpoint_version: attempt.endpointVersion,
    outcome: attempt.outcome,
    response_status: response?.status,
    response_truncated: response?.truncated,
    resent: attempt.resent,
    delivery_id: record.deliveryId,
    attempt_id: attempt.id,
    url: databaseText(attempt.url),
    request_headers: safeHeaders(attempt.requestHeaders),
    response_headers: response && (erased ? {} : safeHeaders(response.headers)),
    response_excerpt: response && !erased ? databaseText(response.excerpt) : undefined,
    error_code: error?.code,
    error_message: error && databaseText(error.message),
    remote_address: attempt.remoteAddress && databaseText(attempt.remoteAddress),
  };
}

const safeHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [databaseText(name), databaseText(value)]));

const INSERT = `
  INSERT INTO attempts (started_at, body_timestamp, day, duration_ms, generation, try, endpoint_version, outcome,
    response_status, response_truncated, resent, delivery_id, attempt_id, url, request_headers, response_headers,
    response_excerpt, error_code, error_message, remote_address)
  SELECT to_timestamp(started_at / 1000.0), body_timestamp, day, duration_ms, generation, try, endpoint_version, outcome,
    response_status, response_truncated, resent, delivery_id, attempt_id, url, request_headers, response_headers,
    response_excerpt, error_code, error_message, remote_address
  FROM json_to_recordset($1::json) AS r(started_at bigint, body_timestamp bigint, day date, duration_ms integer,
    generation integer, try integer, endpoint_version integer, outcome attempt_outcome, response_status smallint,
    response_truncated boolean, resent boolean, delivery_id text, attempt_id text, url text, request_headers json,
    response_headers json, response_excerpt text, error_code text, error_message text, remote_address text)
  ON CONFLICT (delivery_id, attempt_id, day) DO NOTHING
  RETURNING attempt_id`;
