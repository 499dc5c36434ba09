import {
  DELIVERY_STATES,
  ERROR_CODES,
  EVENT_NAMES,
  REASONS,
  STATUS_CLASSES,
  TRIGGERS,
  type DeliveryState,
  type ErrorCode,
  type EventName,
  type Reason,
  type StatusClass,
  type Trigger,
} from '@form-webhooks/domain/enumerations';
import { given, matching, momentOf, oneOf } from '../text/read-address.js';

/** What the address can say of which deliveries are shown, each a text; of triggers several, with commas between. */
export const FILTER_FIELDS = [
  'state',
  'endpoint_id',
  'event',
  'response_status',
  'response_class',
  'error',
  'reason',
  'min_attempts',
  'trigger',
  'text',
  'from',
  'to',
] as const;

export type FilterField = (typeof FILTER_FIELDS)[number];
export type DeliverySearch = Readonly<Partial<Record<FilterField, string>>>;

/** The same as the API takes it. */
export interface DeliveryFilter {
  readonly state?: DeliveryState;
  readonly endpoint_id?: string;
  readonly event?: EventName;
  readonly response_status?: number;
  readonly response_class?: StatusClass;
  readonly error?: ErrorCode;
  readonly reason?: Reason;
  readonly min_attempts?: number;
  /** In the order of `TRIGGERS`, each once. */
  readonly trigger?: readonly Trigger[];
  /** Part of the id of a delivery, an event or a submission. */
  readonly text?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Reads an address, which anybody may have written: what the API would refuse is left out. */
export function filterOf(search: DeliverySearch): DeliveryFilter {
  const status = matching(/^[1-9]\d\d$/, search.response_status);
  const attempts = matching(/^[1-9]\d{0,2}$/, search.min_attempts);
  const all: { readonly [field in FilterField]: DeliveryFilter[field] } = {
    state: oneOf(DELIVERY_STATES, search.state),
    endpoint_id: matching(/^we_[\w-]{1,60}$/, search.endpoint_id),
    event: oneOf(EVENT_NAMES, search.event),
    response_status: status === undefined ? undefined : Number(status),
    response_class: oneOf(STATUS_CLASSES, search.response_class),
    error: oneOf(ERROR_CODES, search.error),
    reason: oneOf(REASONS, search.reason),
    min_attempts: attempts === undefined ? undefined : Number(attempts),
    trigger: triggersOf(search.trigger),
    text: matching(/^[\w-]{1,64}$/, search.text),
    from: momentOf(search.from),
    to: momentOf(search.to),
  };
  return given(all);
}

/**
 * What of an address counts: what is left out of the filter must not stand in its fields as if it did. A text that was
 * written wrongly stays, beside what is wrong about it.
 */
export function takenOf(search: DeliverySearch): DeliverySearch {
  const filter = filterOf(search);
  return Object.fromEntries(
    Object.entries(search).filter(([field]) => field === 'text' || Object.hasOwn(filter, field)),
  );
}

/** What statistics count: a test is in none of them. */
export const COUNTED = { trigger: 'event,replay' } as const satisfies DeliverySearch;

function triggersOf(text = ''): readonly Trigger[] | undefined {
  const asked = text.split(',').map((one) => one.trim());
  const known = TRIGGERS.filter((one) => asked.includes(one));
  return known.length === 0 ? undefined : known;
}

/** A filter as the list takes it, which takes several states, reasons and triggers. */
export const queryOf = ({ state, reason, trigger, ...rest }: DeliveryFilter) => ({
  ...rest,
  ...(state !== undefined && { state: [state] }),
  ...(reason !== undefined && { reason: [reason] }),
  ...(trigger !== undefined && { trigger: [...trigger] }),
});

export const isFiltered = (search: DeliverySearch): boolean => Object.keys(filterOf(search)).length > 0;
