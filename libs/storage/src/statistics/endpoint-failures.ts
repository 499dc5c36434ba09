import { compareText, groupBy, type AttemptOutcome } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import type { RecordedAttempt } from '../log-tables/attempts-table.js';
import { prepared } from '../connections/prepared-statements.js';

/** An endpoint whose last attempt failed. */
export interface FailingEndpoint {
  readonly endpointId: string;
  /** When the first attempt began that failed without one that succeeded since. */
  readonly since: Date;
  /** How many attempts failed since then. */
  readonly consecutive: number;
  readonly lastFailedAt: Date;
  readonly lastOutcome: Exclude<AttemptOutcome, 'delivered'>;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

/**
 * Notes how endpoints fail, from attempts that were really inserted, tests aside. The order is that of their starts. An
 * endpoint that has never failed costs a look, and nothing is written for it. Its rows are locked in the order of their
 * ids, after the roll-ups, by everyone.
 */
export async function noteFailures(tx: Transaction, attempts: readonly RecordedAttempt[]): Promise<void> {
  const runs = lastRuns(attempts);
  if (runs.length === 0) return;
  const fine = runs.filter(({ failures }) => failures === 0).map(({ endpoint_id }) => endpoint_id);
  const failed = fine.length === 0 ? [] : ((await tx.query(FAILING_AMONG, [fine])) as { id: string }[]);
  const recovered = new Set(failed.map(({ id }) => id));
  const rows = runs.filter(({ endpoint_id, failures }) => failures > 0 || recovered.has(endpoint_id));
  if (rows.length > 0) await tx.query(NOTE, [JSON.stringify(rows)]);
}

/** Those of these endpoints whose last attempt failed. */
export function findFailing(tx: Transaction, endpointIds: readonly string[]): Promise<FailingEndpoint[]> {
  return tx.query(FAILING, [endpointIds]);
}

/** How the attempts of one endpoint end: with a success, with failures since the last success, or with failures alone. */
interface LastRun {
  readonly endpoint_id: string;
  readonly succeeded_at: number | null;
  readonly failures: number;
  readonly failing_since: number | null;
  readonly last_failed_at: number | null;
  readonly last_outcome: AttemptOutcome | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
}

function lastRuns(attempts: readonly RecordedAttempt[]): LastRun[] {
  const counted = attempts.filter(({ record }) => record.trigger !== 'test');
  const byEndpoint = groupBy(counted, ({ record }) => record.endpointId);
  return [...byEndpoint.values()].map(lastRun).sort((a, b) => compareText(a.endpoint_id, b.endpoint_id));
}

function lastRun(attempts: readonly RecordedAttempt[]): LastRun {
  const ordered = attempts.toSorted((a, b) => a.attempt.startedAt - b.attempt.startedAt);
  const success = ordered.findLastIndex(({ attempt }) => attempt.outcome === 'delivered');
  const failures = ordered.slice(success + 1).map(({ attempt }) => attempt);
  const last = failures.at(-1);
  return {
    endpoint_id: ordered[0]!.record.endpointId,
    succeeded_at: ordered[success]?.attempt.startedAt ?? null,
    failures: failures.length,
    failing_since: failures[0]?.startedAt ?? null,
    last_failed_at: last?.startedAt ?? null,
    last_outcome: last?.outcome ?? null,
    last_status: last?.response?.status ?? null,
    last_error: last?.error?.code ?? null,
  };
}

const FAILING_AMONG = prepared(`
  SELECT endpoint_id AS id FROM endpoint_failures WHERE endpoint_id = ANY ($1::text[]) AND consecutive > 0`);

/** What stands counts unless an attempt succeeded after it, and so does what comes: batches can overtake each other. */
const STANDS = 'c.consecutive > 0 AND (excluded.succeeded_at IS NULL OR c.last_failed_at > excluded.succeeded_at)';
const COMES = `excluded.consecutive > 0 AND (c.succeeded_at IS NULL OR excluded.last_failed_at > c.succeeded_at)`;
const LATER = '(c.last_failed_at IS NULL OR excluded.last_failed_at >= c.last_failed_at)';

const NOTE = `
  INSERT INTO endpoint_failures AS c (endpoint_id, succeeded_at, consecutive, failing_since, last_failed_at,
    last_outcome, last_status, last_error)
  SELECT endpoint_id, to_timestamp(succeeded_at / 1000.0), failures, to_timestamp(failing_since / 1000.0),
    to_timestamp(last_failed_at / 1000.0), last_outcome, last_status, last_error
  FROM json_to_recordset($1::json) AS r(endpoint_id text, succeeded_at bigint, failures integer, failing_since bigint,
    last_failed_at bigint, last_outcome attempt_outcome, last_status smallint, last_error text)
  ON CONFLICT (endpoint_id) DO UPDATE SET
    consecutive = CASE WHEN ${STANDS} THEN c.consecutive ELSE 0 END + CASE WHEN ${COMES} THEN excluded.consecutive ELSE 0 END,
    failing_since = least(CASE WHEN ${STANDS} THEN c.failing_since END, CASE WHEN ${COMES} THEN excluded.failing_since END),
    succeeded_at = greatest(c.succeeded_at, excluded.succeeded_at),
    last_failed_at = greatest(c.last_failed_at, excluded.last_failed_at),
    ${['last_outcome', 'last_status', 'last_error']
      .map((column) => `${column} = CASE WHEN ${LATER} THEN excluded.${column} ELSE c.${column} END`)
      .join(',\n    ')}`;

const FAILING = `
  SELECT endpoint_id AS "endpointId", failing_since AS since, consecutive, last_failed_at AS "lastFailedAt",
    last_outcome AS "lastOutcome", last_status AS "lastStatus", last_error AS "lastError"
  FROM endpoint_failures WHERE endpoint_id = ANY ($1::text[]) AND consecutive > 0`;
