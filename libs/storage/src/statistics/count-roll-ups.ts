import { DELIVERY_STATES, type DeliveryState } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import type { DeliveryRow } from '../deliveries/delivery-row.js';
import type { RecordedAttempt } from '../log-tables/attempts-table.js';
import { byHourOfEndpoint, type HourOfEndpoint } from './hour-of-endpoint.js';
import { latencyBin } from './latency-bins.js';
import { hourOf } from '../database/log-days.js';
import { prepared } from '../connections/prepared-statements.js';

/** What a write made of one delivery: the rows that are no more, and the one that stands instead. */
export interface RowChange {
  readonly before: readonly DeliveryRow[];
  readonly after: DeliveryRow;
}

/**
 * Moves the hourly counts along with the rows that were really changed, so that they always agree with the rows. The
 * counters are locked last and in the order of their keys: they are what batches have most in common. So a transaction
 * calls this once, with all its changes, after the last delivery that it locks.
 */
export async function countDeliveries(tx: Transaction, changes: readonly RowChange[]): Promise<void> {
  const counts = new Map<string, CountRow>();
  for (const { before, after } of changes) {
    for (const row of before) add(counts, row, -1);
    add(counts, after, 1);
  }
  const rows = [...counts.values()].filter((row) => DELIVERY_STATES.some((state) => row[state] !== 0) || row.attempted);
  if (rows.length > 0) await tx.query(COUNT_DELIVERIES, [JSON.stringify(rows.sort(byHourOfEndpoint))]);
}

/** Counts the durations of attempts that were really inserted. */
export async function countLatencies(tx: Transaction, attempts: readonly RecordedAttempt[]): Promise<void> {
  const counts = new Map<string, LatencyRow>();
  for (const { attempt, record } of attempts) {
    if (record.trigger === 'test') continue;
    const hour = hourOf(attempt.startedAt);
    const bin = latencyBin(attempt.durationMs);
    const key = `${record.endpointId} ${hour} ${bin}`;
    const row = counts.get(key) ?? { form_id: record.formId, endpoint_id: record.endpointId, hour, bin, attempts: 0 };
    row.attempts += 1;
    counts.set(key, row);
  }
  const rows = [...counts.values()].sort((a, b) => byHourOfEndpoint(a, b) || a.bin - b.bin);
  if (rows.length > 0) await tx.query(COUNT_LATENCIES, [JSON.stringify(rows)]);
}

type CountRow = HourOfEndpoint & Record<DeliveryState, number> & { last_attempt_at: number | null; attempted: boolean };
type LatencyRow = HourOfEndpoint & { readonly bin: number; attempts: number };

/** Test sends stay outside the statistics. */
function add(counts: Map<string, CountRow>, row: DeliveryRow, by: 1 | -1): void {
  if (row.standing.trigger === 'test') return;
  const { formId, endpointId } = row.identity;
  const hour = hourOf(row.acceptedAt);
  const key = `${endpointId} ${hour}`;
  const none = { pending: 0, retrying: 0, cancelled: 0, failed: 0, delivered: 0 };
  const count = counts.get(key) ?? {
    ...none,
    form_id: formId,
    endpoint_id: endpointId,
    hour,
    last_attempt_at: null,
    attempted: false,
  };
  count[row.standing.state] += by;
  if (by === 1 && row.lastAttempt) {
    count.last_attempt_at = Math.max(count.last_attempt_at ?? 0, row.lastAttempt.startedAt);
    count.attempted = true;
  }
  counts.set(key, count);
}

const STATES = [...DELIVERY_STATES];

const COUNT_DELIVERIES = prepared(`
  INSERT INTO delivery_counts AS c (form_id, endpoint_id, hour, last_attempt_at, ${STATES.join(', ')})
  SELECT form_id, endpoint_id, to_timestamp(hour / 1000.0), to_timestamp(last_attempt_at / 1000.0), ${STATES.join(', ')}
  FROM json_to_recordset($1::json) AS r(form_id text, endpoint_id text, hour bigint, last_attempt_at bigint,
    ${STATES.map((state) => `${state} integer`).join(', ')})
  ON CONFLICT (form_id, endpoint_id, hour) DO UPDATE SET
    last_attempt_at = greatest(c.last_attempt_at, excluded.last_attempt_at),
    ${STATES.map((state) => `${state} = c.${state} + excluded.${state}`).join(', ')}`);

const COUNT_LATENCIES = prepared(`
  INSERT INTO attempt_latencies AS c (form_id, endpoint_id, hour, bin, attempts)
  SELECT form_id, endpoint_id, to_timestamp(hour / 1000.0), bin, attempts
  FROM json_to_recordset($1::json) AS r(form_id text, endpoint_id text, hour bigint, bin smallint, attempts integer)
  ON CONFLICT (form_id, endpoint_id, hour, bin) DO UPDATE SET attempts = c.attempts + excluded.attempts`);
