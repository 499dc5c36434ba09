import { DELIVERY_STATES } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import type { RetainedDays } from '../database/log-days.js';
import { daysWithin } from '../log-tables/search-log.js';
import { conditionsOf, stateGroups, type DeliveryFilter } from './delivery-filter.js';

/** How many deliveries match, counted up to the limit; one more than the limit if there are more. */
export async function countMatching(
  tx: Transaction,
  formId: string,
  filter: DeliveryFilter,
  retained: RetainedDays,
  limit: number,
): Promise<number> {
  const window = daysWithin(retained, [filter.from], [filter.to]);
  const { conditions, values } = conditionsOf(formId, filter, window);
  const groups = stateGroups(filter);
  const where = groups === null ? conditions : [...conditions, `(${groups.join(' OR ')})`];
  const sql = `SELECT count(*)::int AS count FROM
    (SELECT 1 FROM deliveries WHERE ${where.join(' AND ')} LIMIT ${limit + 1}) d`;
  const rows = (await tx.query(sql, values)) as { count: number }[];
  return rows[0]!.count;
}

/** What the hourly counts know of a delivery. */
export type SummedFilter = Pick<DeliveryFilter, 'endpointId' | 'states' | 'from' | 'to'>;

/** Whether the hourly counts know of all that a filter asks for. */
export function isSummed(filter: DeliveryFilter): filter is SummedFilter {
  const { endpointId: _1, states: _2, from: _3, to: _4, ...others } = filter;
  return Object.keys(others).length === 0;
}

/** About how many deliveries match a filter, from the hourly counts: whole hours, test sends aside. */
export async function sumMatching(tx: Transaction, formId: string, filter: SummedFilter): Promise<number> {
  const { endpointId = null, states = DELIVERY_STATES, from = null, to = null } = filter;
  const sql = `SELECT coalesce(sum(${states.join(' + ')}), 0)::float8 AS count FROM delivery_counts
    WHERE form_id = $1 AND ($2::text IS NULL OR endpoint_id = $2)
      AND ($3::bigint IS NULL OR hour >= date_trunc('hour', to_timestamp($3::bigint / 1000.0), 'UTC'))
      AND ($4::bigint IS NULL OR hour < to_timestamp($4::bigint / 1000.0))`;
  const rows = (await tx.query(sql, [formId, endpointId, from, to])) as { count: number }[];
  return rows[0]!.count;
}
