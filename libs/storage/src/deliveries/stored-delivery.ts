import type { DeliveryState, EventName, Reason, Trigger } from '@form-webhooks/domain';
import { dayOfRow, type DeliveryRow } from './delivery-row.js';

/** A row of `deliveries` as it travels to and from the database: moments in ms since the epoch. */
export interface StoredDelivery {
  readonly accepted_at: number;
  readonly generation_started_at: number;
  readonly next_attempt_at: number | null;
  readonly completed_at: number | null;
  readonly last_attempt_at: number | null;
  readonly state: DeliveryState;
  readonly reason: Reason | null;
  readonly event: EventName;
  readonly trigger: Trigger;
  readonly generation: number;
  readonly try: number;
  readonly deferrals: number;
  readonly attempt_count: number;
  readonly last_attempt_generation: number | null;
  readonly last_attempt_try: number | null;
  readonly last_response_status: number | null;
  readonly last_error: string | null;
  readonly delivery_id: string;
  readonly event_id: string;
  readonly form_id: string;
  readonly submission_id: string;
  readonly endpoint_id: string;
}

export function toStored(row: DeliveryRow): StoredDelivery & { day: string } {
  const { identity, standing, lastAttempt } = row;
  return {
    accepted_at: row.acceptedAt,
    day: dayOfRow(row),
    generation_started_at: standing.generationStartedAt,
    next_attempt_at: standing.nextAttemptAt,
    completed_at: standing.completedAt,
    last_attempt_at: lastAttempt?.startedAt ?? null,
    state: standing.state,
    reason: standing.reason,
    event: identity.event,
    trigger: standing.trigger,
    generation: standing.position.generation,
    try: standing.position.try,
    deferrals: standing.position.deferrals,
    attempt_count: row.attemptCount,
    last_attempt_generation: lastAttempt?.generation ?? null,
    last_attempt_try: lastAttempt?.try ?? null,
    last_response_status: lastAttempt?.status ?? null,
    last_error: lastAttempt?.error ?? null,
    delivery_id: identity.deliveryId,
    event_id: identity.eventId,
    form_id: identity.formId,
    submission_id: identity.submissionId,
    endpoint_id: identity.endpointId,
  };
}

export function fromStored(row: StoredDelivery): DeliveryRow {
  return {
    identity: {
      deliveryId: row.delivery_id,
      eventId: row.event_id,
      event: row.event,
      formId: row.form_id,
      submissionId: row.submission_id,
      endpointId: row.endpoint_id,
    } as DeliveryRow['identity'],
    acceptedAt: row.accepted_at,
    standing: {
      position: { generation: row.generation, try: row.try, deferrals: row.deferrals },
      state: row.state,
      reason: row.reason,
      trigger: row.trigger,
      generationStartedAt: row.generation_started_at,
      nextAttemptAt: row.next_attempt_at,
      completedAt: row.completed_at,
    },
    lastAttempt:
      row.last_attempt_at === null
        ? null
        : {
            generation: row.last_attempt_generation!,
            try: row.last_attempt_try!,
            startedAt: row.last_attempt_at,
            status: row.last_response_status,
            error: row.last_error,
          },
    attemptCount: row.attempt_count,
  };
}

const MOMENTS = ['accepted_at', 'generation_started_at', 'next_attempt_at', 'completed_at', 'last_attempt_at'];
const CHANGING = [
  'state',
  'reason',
  'trigger',
  'generation',
  'try',
  'deferrals',
  'attempt_count',
  'last_attempt_generation',
  'last_attempt_try',
  'last_response_status',
  'last_error',
];
const FIXED = ['event', 'delivery_id', 'event_id', 'form_id', 'submission_id', 'endpoint_id'];

const fromRecord = (column: string): string => `r.${column}`;
const momentFromRecord = (column: string): string => `to_timestamp(r.${column} / 1000.0)`;

/** The select list that `fromStored` reads; `alias` is the table's, with its dot. */
export const readColumns = (alias = ''): string =>
  [
    ...MOMENTS.map((column) => `round(date_part('epoch', ${alias}${column}) * 1000) AS ${column}`),
    ...[...CHANGING, ...FIXED].map((column) => alias + column),
  ].join(', ');

/** The columns and values of an insert from `RECORDSET`. */
export const COLUMNS = ['day', ...MOMENTS, ...CHANGING, ...FIXED].join(', ');
export const VALUES = ['r.day', ...MOMENTS.map(momentFromRecord), ...[...CHANGING, ...FIXED].map(fromRecord)].join(
  ', ',
);

/** What an update from `RECORDSET` may change. */
export const ASSIGNMENTS = [
  ...MOMENTS.map((column) => `${column} = ${momentFromRecord(column)}`),
  ...CHANGING.map((column) => `${column} = ${fromRecord(column)}`),
].join(', ');

/** The table `r` that a parameter with the JSON of `toStored` rows stands for. */
export const RECORDSET = (parameter: string): string => `json_to_recordset(${parameter}::json) AS r(day date,
    ${MOMENTS.map((column) => `${column} bigint`).join(', ')},
    state delivery_state, reason delivery_reason, event event_name, trigger delivery_trigger, generation integer,
    try integer, deferrals integer, attempt_count integer, last_attempt_generation integer, last_attempt_try integer,
    last_response_status smallint, last_error text, delivery_id text, event_id text, form_id text, submission_id text,
    endpoint_id text)`;
