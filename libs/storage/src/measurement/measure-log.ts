import type { DeliveryState } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import { limitStatements } from '../database/database-clock.js';
import type { ReconciliationPhase } from '../reconciler/reconciliations.js';

/** So many open deliveries are counted at most: reading them takes some tenths of a second. */
const MAX_OPEN_COUNTED = 50_000;
const MAX_ERASURES_COUNTED = 10_000;
/** Longer than it ever takes with a healthy database; the figures are not worth more. */
const STATEMENT_TIMEOUT_MS = 5_000;

/** Open deliveries that wait for the same. */
export interface OpenDeliveries {
  readonly state: DeliveryState;
  /** A `WaitingCause`, or `none`. */
  readonly waitsFor: string;
  readonly deliveries: number;
}

/** What the database alone knows of how the service stands. Times in seconds, by its clock. */
export interface LogMeasurement {
  readonly open: readonly OpenDeliveries[];
  /** There are more than `MAX_OPEN_COUNTED`: those of the oldest days are counted. */
  readonly openCut: boolean;
  /** Since the oldest open delivery's event was accepted; 0 without one. */
  readonly oldestOpenSeconds: number;
  /** For how long the most overdue open delivery should have got further; 0 if none is. */
  readonly overdueSeconds: number;
  /** Erasures whose stored data has not gone yet. */
  readonly erasures: number;
  readonly oldestErasureSeconds: number;
  /** Of the reconciliation under way; null between two. */
  readonly phase: ReconciliationPhase | null;
  /** For how long the one that is under way has been; 0 between two. */
  readonly reconcilingSeconds: number;
  /** How long ago the last one ended; null if none has yet. */
  readonly reconciledSeconds: number | null;
}

/**
 * Measures by indexes that hold what is open alone, so that it costs as much as is open, up to a bound, and nothing for
 * what the log holds. @throws QueryFailedError if the database is away or takes longer than seconds
 */
export async function measureLog(tx: Transaction): Promise<LogMeasurement> {
  await limitStatements(tx, STATEMENT_TIMEOUT_MS);
  // A plan that reads whole days would be cheaper only where nearly all of a day is open; and one by one, from the
  // oldest day on, is the order in which a bound cuts off what is young.
  await tx.query('SET LOCAL enable_seqscan = off');
  await tx.query('SET LOCAL max_parallel_workers_per_gather = 0');
  const open = (await tx.query(OPEN, [MAX_OPEN_COUNTED + 1])) as OpenRow[];
  const [rest] = (await tx.query(REST, [MAX_ERASURES_COUNTED])) as [RestRow];
  const counted = open.reduce((sum, { deliveries }) => sum + deliveries, 0);
  return {
    open: open.map(({ state, waitsFor, deliveries }) => ({ state, waitsFor, deliveries })),
    openCut: counted > MAX_OPEN_COUNTED,
    oldestOpenSeconds: Math.max(0, ...open.map(({ oldest }) => oldest)),
    overdueSeconds: Math.max(0, ...open.map(({ overdue }) => overdue)),
    ...rest,
    oldestErasureSeconds: rest.oldestErasureSeconds ?? 0,
    reconcilingSeconds: rest.reconcilingSeconds ?? 0,
  };
}

interface OpenRow extends OpenDeliveries {
  readonly oldest: number;
  readonly overdue: number;
}

type RestRow = Pick<LogMeasurement, 'erasures' | 'phase' | 'reconciledSeconds'> & {
  readonly oldestErasureSeconds: number | null;
  readonly reconcilingSeconds: number | null;
};

const secondsSince = (moment: string): string => `extract(epoch FROM clock_timestamp() - ${moment})::float8`;

const OPEN = `
  WITH open AS MATERIALIZED (
    SELECT state, COALESCE(waits_for, 'none') AS waits_for, accepted_at,
      COALESCE(next_attempt_at, generation_started_at) AS due_at
    FROM deliveries WHERE state IN ('pending', 'retrying') LIMIT $1)
  SELECT state, waits_for AS "waitsFor", count(*)::int AS deliveries,
    ${secondsSince('min(accepted_at)')} AS oldest, ${secondsSince('min(due_at)')} AS overdue
  FROM open GROUP BY 1, 2 ORDER BY 1, 2`;

const REST = `
  SELECT erasures, "oldestErasureSeconds", phase, "reconcilingSeconds", "reconciledSeconds"
  FROM (SELECT count(*)::int AS erasures, ${secondsSince('min(requested_at)')} AS "oldestErasureSeconds"
    FROM (SELECT requested_at FROM erased_submissions WHERE erased_at IS NULL ORDER BY requested_at LIMIT $1) w) e
  LEFT JOIN (SELECT phase, ${secondsSince('began_at')} AS "reconcilingSeconds"
    FROM reconciliations WHERE finished_at IS NULL) r ON true
  LEFT JOIN (SELECT ${secondsSince('finished_at')} AS "reconciledSeconds"
    FROM reconciliations WHERE finished_at IS NOT NULL ORDER BY finished_at DESC LIMIT 1) l ON true`;
