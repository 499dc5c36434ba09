import { stateOfReason } from '@form-webhooks/domain';
import type { DeliveryState, EventName, Reason, Trigger } from '@form-webhooks/domain';
import type { RetainedDays } from '../database/log-days.js';
import type { LogPlace } from '../log-tables/search-log.js';

/** What a reader of the log may ask for; all conditions hold together. */
export interface DeliveryFilter {
  readonly endpointId?: string;
  readonly states?: readonly DeliveryState[];
  readonly reasons?: readonly Reason[];
  readonly triggers?: readonly Trigger[];
  readonly event?: EventName;
  readonly submissionId?: string;
  readonly deliveryId?: string;
  readonly deliveryIds?: readonly string[];
  /** Part of the id of the delivery, its event or its submission. */
  readonly text?: string;
  /** Of the latest attempt. */
  readonly responseStatus?: number;
  /** The hundreds of the latest attempt's status, such as 5 for 503. */
  readonly responseClass?: number;
  /** The error code of the latest attempt. */
  readonly error?: string;
  /** With at least so many attempts. */
  readonly minAttempts?: number;
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

/** How we make them: a text like this is no part of another id. */
const WHOLE_DELIVERY_ID = /^dlv_[A-Za-z0-9_-]{22}$/;

/** Whether an index finds what is looked for wherever it lies. */
export const isFoundByIndex = ({ deliveryId, deliveryIds, submissionId, text = '' }: DeliveryFilter): boolean =>
  [deliveryId, deliveryIds, submissionId].some((one) => one !== undefined) || WHOLE_DELIVERY_ID.test(text);

/** The newest or the oldest first. */
export type LogOrder = 'desc' | 'asc';

/** The conditions of a search, and the values of their parameters. */
export function conditionsOf(
  formId: string,
  filter: DeliveryFilter,
  window: RetainedDays,
  after?: LogPlace,
  order: LogOrder = 'desc',
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
  add((p) => `delivery_id = ANY (${p}::text[])`, filter.deliveryIds);
  add((p) => unguessed(`reason = ANY (${p}::delivery_reason[])`), filter.reasons);
  add((p) => unguessed(`trigger = ANY (${p}::delivery_trigger[])`), filter.triggers);
  add(textCondition(filter.text), filter.text);
  add((p) => unguessed(`last_response_status = ${p}`), filter.responseStatus);
  add((p) => unguessed(`last_response_status / 100 = ${p}`), filter.responseClass);
  add((p) => unguessed(`last_error = ${p}`), filter.error);
  add((p) => unguessed(`attempt_count >= ${p}`), filter.minAttempts);
  add((p) => `accepted_at >= to_timestamp(${p}::bigint / 1000.0)`, filter.from);
  add((p) => `accepted_at < to_timestamp(${p}::bigint / 1000.0)`, filter.to);
  if (after) {
    const beyond = order === 'desc' ? '<' : '>';
    add((p) => `accepted_at ${beyond}= to_timestamp(${p}::bigint / 1000.0)`, after.acceptedAt);
    const at = `$${values.length}`;
    add((p) => `(accepted_at ${beyond} to_timestamp(${at}::bigint / 1000.0) OR delivery_id ${beyond} ${p})`, after.id);
  }
  return { conditions, values };
}

function textCondition(text = ''): (parameter: string) => string {
  if (WHOLE_DELIVERY_ID.test(text)) return (p) => `delivery_id = ${p}`;
  const isIn = (column: string, p: string): string => `strpos(${column}, ${p}) > 0`;
  return (p) => unguessed(['delivery_id', 'event_id', 'submission_id'].map((column) => isIn(column, p)).join(' OR '));
}

const OPEN: readonly DeliveryState[] = ['pending', 'retrying'];
const UNSUCCESSFUL: readonly DeliveryState[] = ['failed', 'cancelled'];
const GROUPS: readonly (readonly DeliveryState[])[] = [OPEN, UNSUCCESSFUL, ['delivered']];

/** What a delivered delivery was answered with: its endpoint may take a redirect for received. */
const ACCEPTING: readonly number[] = [2, 3];

/**
 * The states that can match, in groups that have an index each: what was answered with an error last is not delivered,
 * and that is usually few. Null for any state.
 */
export function stateGroups(filter: DeliveryFilter): readonly string[] | null {
  const wanted = filter.states ?? filter.reasons?.map(stateOfReason) ?? statesOfAnswer(filter);
  if (wanted === null) return null;
  const groups = GROUPS.map((group) => group.filter((state) => wanted.includes(state)));
  // Written into the statement so that the planner sees that an index covers them.
  return groups.filter((group) => group.length > 0).map((group) => `state IN ('${group.join(`', '`)}')`);
}

function statesOfAnswer({ error, responseStatus, ...filter }: DeliveryFilter): readonly DeliveryState[] | null {
  const { responseClass = responseStatus && Math.floor(responseStatus / 100) } = filter;
  const failed = error !== undefined || (responseClass !== undefined && !ACCEPTING.includes(responseClass));
  return failed ? [...OPEN, ...UNSUCCESSFUL] : null;
}
