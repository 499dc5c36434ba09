import type { DeliveryState } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import { conditionsOf, type DeliveryFilter } from './delivery-filter.js';
import type { DeliveryRow } from './delivery-row.js';
import type { RetainedDays } from '../database/log-days.js';
import { daysWithin, searchBack, type LogPage, type LogPlace } from '../log-tables/search-back.js';
import { DELIVERIES, fromStored, type StoredDelivery } from '../log-tables/deliveries-table.js';

/** A page of a form's deliveries, newest first. */
export async function searchDeliveries(
  tx: Transaction,
  formId: string,
  filter: DeliveryFilter,
  page: { readonly limit: number; readonly after?: LogPlace },
  retained: RetainedDays,
): Promise<LogPage<DeliveryRow>> {
  return searchBack({
    range: daysWithin(retained, filter.from, filter.to, page.after?.acceptedAt),
    // An index finds the rows of one delivery or submission wherever they lie.
    everywhere: filter.deliveryId !== undefined || filter.submissionId !== undefined,
    limit: page.limit,
    look: (window, limit) => searchDays(tx, formId, filter, window, limit, page.after),
    placeOf: ({ acceptedAt, identity }) => ({ acceptedAt, id: identity.deliveryId }),
  });
}

async function searchDays(
  tx: Transaction,
  formId: string,
  filter: DeliveryFilter,
  window: RetainedDays,
  limit: number,
  after: LogPlace | undefined,
): Promise<DeliveryRow[]> {
  const { conditions, values } = conditionsOf(formId, filter, window, after);
  const order = `ORDER BY accepted_at DESC, delivery_id DESC LIMIT ${limit}`;
  const found = statesOf(filter).map((states) => {
    const where =
      states === 'any' ? conditions : [...conditions, `state IN (${states.map((s) => `'${s}'`).join(', ')})`];
    return `(SELECT * FROM deliveries WHERE ${where.join(' AND ')} ${order})`;
  });
  const sql = `SELECT ${DELIVERIES.read('d.')} FROM (${found.join(' UNION ALL ')}) d ${order}`;
  return ((await tx.query(sql, values)) as StoredDelivery[]).map(fromStored);
}

const OPEN: readonly DeliveryState[] = ['pending', 'retrying'];
const UNSUCCESSFUL: readonly DeliveryState[] = ['failed', 'cancelled'];

/**
 * The states that can match, in groups that have an index each: what has no 2xx as its last answer is not delivered,
 * and that is usually few. Written into the statement so that the planner sees that an index covers them.
 */
function statesOf(filter: DeliveryFilter): readonly (readonly DeliveryState[] | 'any')[] {
  if (filter.state !== undefined) return [[filter.state]];
  const { error, responseStatus } = filter;
  const failed = error !== undefined || (responseStatus !== undefined && Math.floor(responseStatus / 100) !== 2);
  return failed ? [OPEN, UNSUCCESSFUL] : ['any'];
}
