import type { Transaction } from '../database/data-source.js';

/** When each endpoint was last sent something, from the hourly counts: no delivery is read. Test sends don't count. */
export async function lastDeliveries(
  tx: Transaction,
  formId: string,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows: { endpoint_id: string; at: Date }[] = await tx.query(
    `SELECT endpoint_id, max(last_attempt_at) AS at FROM delivery_counts
     WHERE form_id = $1 AND endpoint_id = ANY($2) AND last_attempt_at IS NOT NULL GROUP BY endpoint_id`,
    [formId, endpointIds],
  );
  return new Map(rows.map((row) => [row.endpoint_id, row.at]));
}
