import type { DeliveryState } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import { conditionsOf, type DeliveryFilter, type LogPlace } from './delivery-filter.js';
import type { DeliveryRow } from './delivery-row.js';
import { addDays, dayOf, type LogDay, type RetainedDays } from '../database/log-days.js';
import { DELIVERIES, fromStored, type StoredDelivery } from '../log-tables/deliveries-table.js';

export interface LogPage {
  readonly rows: readonly DeliveryRow[];
  /** Where to go on; null at the end. A page can be short and yet not be the last. */
  readonly next: LogPlace | null;
}

/** After this long a search hands over what it has found, with the place where it stopped. */
const PATIENCE_MS = 60;
/** While a look back takes less than this, the next one goes twice as far. */
const QUICK_MS = 15;
/** More days than any log holds. */
const EVERYWHERE = 10_000;

/**
 * A page of a form's deliveries, newest first. The search goes back in time over few days first and, as long as that is
 * quick, over more and more; a rare match in a large log ends a page early instead of keeping the caller waiting.
 */
export async function searchDeliveries(
  tx: Transaction,
  formId: string,
  filter: DeliveryFilter,
  page: { readonly limit: number; readonly after?: LogPlace },
  retained: RetainedDays,
): Promise<LogPage> {
  const began = performance.now();
  const rows: DeliveryRow[] = [];
  const range = daysOf(filter, page.after, retained);
  // An index finds the rows of one delivery or submission wherever they lie.
  let days = filter.deliveryId !== undefined || filter.submissionId !== undefined ? EVERYWHERE : 1;
  let last = range.last;
  while (last >= range.first) {
    const window = { first: later(range.first, addDays(last, 1 - Math.min(days, EVERYWHERE))), last };
    const looked = performance.now();
    rows.push(...(await searchDays(tx, formId, filter, window, page.limit + 1 - rows.length, page.after)));
    if (rows.length > page.limit) return { rows: rows.slice(0, page.limit), next: placeOf(rows[page.limit - 1]!) };
    last = addDays(window.first, -1);
    if (performance.now() - looked < QUICK_MS) days *= 2;
    if (last >= range.first && performance.now() - began > PATIENCE_MS) {
      return { rows, next: { acceptedAt: Date.parse(window.first), deliveryId: '' } };
    }
  }
  return { rows, next: null };
}

const placeOf = (row: DeliveryRow): LogPlace => ({
  acceptedAt: row.acceptedAt,
  deliveryId: row.identity.deliveryId,
});

const later = (a: LogDay, b: LogDay): LogDay => (a > b ? a : b);

function daysOf(filter: DeliveryFilter, after: LogPlace | undefined, retained: RetainedDays): RetainedDays {
  const ends = [retained.last, ...[filter.to, after?.acceptedAt].filter((at) => at !== undefined).map(dayOf)];
  const first = filter.from === undefined ? retained.first : later(retained.first, dayOf(filter.from));
  return { first, last: ends.reduce((a, b) => (a < b ? a : b)) };
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
