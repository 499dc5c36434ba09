import { DELIVERY_STATES, type DeliveryState, type FailureCause } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';

export type StateCounts = Readonly<Record<DeliveryState, number>>;

/** What happened at an endpoint from `at` on, for one step. */
export interface StatsPoint {
  readonly endpointId: string;
  readonly at: number;
  readonly counts: StateCounts;
}

/** How many attempts of one step took as long as a bin says. */
export interface LatencyPoint {
  readonly endpointId: string;
  readonly at: number;
  readonly bin: number;
  readonly attempts: number;
}

/** How many attempts of one step failed for a cause. */
export interface FailurePoint {
  readonly endpointId: string;
  readonly at: number;
  readonly cause: FailureCause;
  readonly attempts: number;
}

/** Which hours, and in which steps; all in ms since the epoch. */
export interface StatsRange {
  readonly from: number;
  readonly to: number;
  /** When each step begins, ascending; the first at or before `from`. */
  readonly starts: readonly number[];
}

/** Deliveries of a form by endpoint, step of their acceptance, and present state. No delivery is read. */
export async function readCounts(tx: Transaction, formId: string, range: StatsRange): Promise<StatsPoint[]> {
  const rows = (await tx.query(COUNTS, parametersOf(formId, range))) as ({
    endpoint_id: string;
    at: number;
  } & StateCounts)[];
  return rows.map(({ endpoint_id: endpointId, at, ...counts }) => ({ endpointId, at, counts }));
}

/** Attempts of a form by endpoint, step of their start, and duration. */
export function readLatencies(tx: Transaction, formId: string, range: StatsRange): Promise<LatencyPoint[]> {
  return tx.query(LATENCIES, parametersOf(formId, range));
}

/** Failed attempts of a form by endpoint, step of their start, and cause. */
export function readFailures(tx: Transaction, formId: string, range: StatsRange): Promise<FailurePoint[]> {
  return tx.query(FAILURES, parametersOf(formId, range));
}

const parametersOf = (formId: string, { from, to, starts }: StatsRange): unknown[] => [formId, from, to, starts];

/*
 * Each hour's count fits four bytes, their sums need not: a form with 100 deliveries a second passes 2^31 within nine
 * months. What is below 2^53 a float8 has exactly, and `pg` hands it over as a number.
 */

/** An hour counts in the step in which it begins. */
const AT = `($4::float8[])[width_bucket(date_part('epoch', hour) * 1000, $4::float8[])]`;
const WITHIN = `form_id = $1 AND hour >= to_timestamp($2::bigint / 1000.0) AND hour < to_timestamp($3::bigint / 1000.0)`;

const COUNTS = `
  SELECT endpoint_id, ${AT} AS at, ${DELIVERY_STATES.map((state) => `sum(${state})::float8 AS ${state}`).join(', ')}
  FROM delivery_counts WHERE ${WITHIN} GROUP BY 1, 2 ORDER BY 1, 2`;

const LATENCIES = `
  SELECT endpoint_id AS "endpointId", ${AT} AS at, bin, sum(attempts)::float8 AS attempts
  FROM attempt_latencies WHERE ${WITHIN} GROUP BY 1, 2, 3`;

const FAILURES = `
  SELECT endpoint_id AS "endpointId", ${AT} AS at, cause, sum(attempts)::float8 AS attempts
  FROM attempt_failures WHERE ${WITHIN} GROUP BY 1, 2, 3`;
