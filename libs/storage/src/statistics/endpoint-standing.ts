import type { Transaction } from '../database/data-source.js';

/** What waits for an endpoint, and when it was last sent something. */
export interface EndpointStanding {
  readonly endpointId: string;
  /** Deliveries that are not final, test sends aside. */
  readonly waiting: number;
  /** When the latest attempt began, test sends aside. */
  readonly lastAttemptAt: Date | null;
}

/** From the hourly counts alone; an endpoint that has none is left out. */
export function readStandings(
  tx: Transaction,
  formId: string,
  endpointIds: readonly string[],
): Promise<EndpointStanding[]> {
  return tx.query(STANDINGS, [formId, endpointIds]);
}

/**
 * When the next attempt of each endpoint is due, test sends included; in the past for one that is being made. An index
 * has what waits in this order: each endpoint costs a look at each day of the log, however many wait.
 */
export async function nextAttempts(
  tx: Transaction,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = (await tx.query(NEXT, [endpointIds])) as { id: string; at: Date | null }[];
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])));
}

const STANDINGS = `
  SELECT endpoint_id AS "endpointId", sum(pending + retrying)::float8 AS waiting,
    max(last_attempt_at) AS "lastAttemptAt"
  FROM delivery_counts WHERE form_id = $1 AND endpoint_id = ANY ($2::text[]) GROUP BY endpoint_id`;

const NEXT = `
  SELECT e.id, (SELECT d.next_attempt_at FROM deliveries d
    WHERE d.endpoint_id = e.id AND d.state IN ('pending', 'retrying') AND d.next_attempt_at IS NOT NULL
    ORDER BY d.next_attempt_at LIMIT 1) AS at
  FROM unnest($1::text[]) AS e(id)`;
