import type { DeliveryState, EventName } from '@form-webhooks/domain';
import type { RetainedDays } from '../database/log-days.js';
import type { LogPlace } from '../log-tables/search-back.js';

/** What a reader of the log may ask for; all conditions hold together. */
export interface DeliveryFilter {
  readonly endpointId?: string;
  readonly state?: DeliveryState;
  readonly event?: EventName;
  readonly submissionId?: string;
  readonly deliveryId?: string;
  /** Of the latest attempt. */
  readonly responseStatus?: number;
  /** The error code of the latest attempt. */
  readonly error?: string;
  /** Accepted at or after, ms since the epoch. */
  readonly from?: number;
  /** Accepted before. */
  readonly to?: number;
}

/**
 * A condition that the planner takes to hold for every second row. It would multiply its share of all rows with that of
 * the failed ones, as if an answer of 404 said nothing of the state, and for the handful that it then expects it reads
 * and sorts all of a form's failed deliveries instead of walking the index until the page is full.
 */
const unguessed = (condition: string): string => `CASE WHEN ${condition} THEN true ELSE false END`;

/** The conditions of a search, and the values of their parameters. */
export function conditionsOf(
  formId: string,
  filter: DeliveryFilter,
  window: RetainedDays,
  after?: LogPlace,
): { conditions: string[]; values: unknown[] } {
  const values: unknown[] = [];
  const conditions: string[] = [];
  const add = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  add((p) => `form_id = ${p}`, formId);
  add((p) => `day >= ${p}::date`, window.first);
  add((p) => `day <= ${p}::date`, window.last);
  add((p) => `endpoint_id = ${p}`, filter.endpointId);
  add((p) => `event = ${p}::event_name`, filter.event);
  add((p) => `submission_id = ${p}`, filter.submissionId);
  add((p) => `delivery_id = ${p}`, filter.deliveryId);
  add((p) => unguessed(`last_response_status = ${p}`), filter.responseStatus);
  add((p) => unguessed(`last_error = ${p}`), filter.error);
  add((p) => `accepted_at >= to_timestamp(${p}::bigint / 1000.0)`, filter.from);
  add((p) => `accepted_at < to_timestamp(${p}::bigint / 1000.0)`, filter.to);
  if (after) {
    add((p) => `accepted_at <= to_timestamp(${p}::bigint / 1000.0)`, after.acceptedAt);
    const at = `$${values.length}`;
    add((p) => `(accepted_at < to_timestamp(${at}::bigint / 1000.0) OR delivery_id < ${p})`, after.id);
  }
  return { conditions, values };
}
