import type { Transaction } from '../database/data-source.js';
import { conditionsOf, isFoundByIndex, stateGroups, type DeliveryFilter, type LogOrder } from './delivery-filter.js';
import type { DeliveryRow } from './delivery-row.js';
import type { RetainedDays } from '../database/log-days.js';
import { daysWithin, searchLog, type LogPage, type LogPlace } from '../log-tables/search-log.js';
import { DELIVERIES, fromStored, type StoredDelivery } from '../log-tables/deliveries-table.js';

/** Which part of a list of deliveries. */
export interface DeliveryPage {
  readonly limit: number;
  readonly after?: LogPlace;
  readonly order: LogOrder;
}

/** A page of a form's deliveries. */
export async function searchDeliveries(
  tx: Transaction,
  formId: string,
  filter: DeliveryFilter,
  page: DeliveryPage,
  retained: RetainedDays,
): Promise<LogPage<DeliveryRow>> {
  const { limit, after, order } = page;
  const [earliest, latest] = order === 'desc' ? [undefined, after] : [after, undefined];
  return searchLog({
    range: daysWithin(retained, [filter.from, earliest?.acceptedAt], [filter.to, latest?.acceptedAt]),
    everywhere: isFoundByIndex(filter),
    order,
    limit,
    look: (window, count) => searchDays(tx, formId, filter, { window, limit: count, after, order }),
    placeOf: ({ acceptedAt, identity }) => ({ acceptedAt, id: identity.deliveryId }),
  });
}

interface Look {
  readonly window: RetainedDays;
  readonly limit: number;
  readonly after: LogPlace | undefined;
  readonly order: LogOrder;
}

async function searchDays(tx: Transaction, formId: string, filter: DeliveryFilter, look: Look): Promise<DeliveryRow[]> {
  const { conditions, values } = conditionsOf(formId, filter, look.window, look.after, look.order);
  const order = `ORDER BY accepted_at ${look.order}, delivery_id ${look.order} LIMIT ${look.limit}`;
  const found = (stateGroups(filter) ?? [null]).map((states) => {
    const where = states === null ? conditions : [...conditions, states];
    return `(SELECT * FROM deliveries WHERE ${where.join(' AND ')} ${order})`;
  });
  const sql = `SELECT ${DELIVERIES.read('d.')} FROM (${found.join(' UNION ALL ')}) d ${order}`;
  return ((await tx.query(sql, values)) as StoredDelivery[]).map(fromStored);
}
