import { dayOfRow, type DeliveryRow } from '../deliveries/delivery-row.js';
import { LogTable, type LogColumns, type RowOf } from './log-table.js';

/** The columns of `deliveries`. */
const COLUMNS = {
  delivery_id: { type: 'code', of: ({ identity }) => identity.deliveryId, fixed: true },
  event_id: { type: 'code', of: ({ identity }) => identity.eventId, fixed: true },
  event: { type: 'event_name', of: ({ identity }) => identity.event, fixed: true },
  form_id: { type: 'code', of: ({ identity }) => identity.formId, fixed: true },
  submission_id: { type: 'code', of: ({ identity }) => identity.submissionId, fixed: true },
  endpoint_id: { type: 'code', of: ({ identity }) => identity.endpointId, fixed: true },
  accepted_at: { type: 'moment', of: (row) => row.acceptedAt },
  generation: { type: 'integer', of: ({ standing }) => standing.position.generation },
  try: { type: 'integer', of: ({ standing }) => standing.position.try },
  deferrals: { type: 'integer', of: ({ standing }) => standing.position.deferrals },
  state: { type: 'delivery_state', of: ({ standing }) => standing.state },
  reason: { type: 'delivery_reason', of: ({ standing }) => standing.reason },
  trigger: { type: 'delivery_trigger', of: ({ standing }) => standing.trigger },
  generation_started_at: { type: 'moment', of: ({ standing }) => standing.generationStartedAt },
  next_attempt_at: { type: 'moment', of: ({ standing }) => standing.nextAttemptAt },
  completed_at: { type: 'moment', of: ({ standing }) => standing.completedAt },
  waits_for: { type: 'code', of: ({ standing }) => standing.waitsFor },
  last_attempt_at: { type: 'moment', of: ({ lastAttempt }) => lastAttempt?.startedAt ?? null },
  last_attempt_generation: { type: 'integer', of: ({ lastAttempt }) => lastAttempt?.generation ?? null },
  last_attempt_try: { type: 'integer', of: ({ lastAttempt }) => lastAttempt?.try ?? null },
  last_response_status: { type: 'smallint', of: ({ lastAttempt }) => lastAttempt?.status ?? null },
  last_error: { type: 'code', of: ({ lastAttempt }) => lastAttempt?.error ?? null },
  attempt_count: { type: 'integer', of: (row) => row.attemptCount },
} satisfies LogColumns<DeliveryRow>;

export const DELIVERIES = new LogTable(COLUMNS, dayOfRow);

/** A row of `deliveries` as a statement returns it. */
export type StoredDelivery = RowOf<typeof COLUMNS>;

/** The row that `DELIVERIES.read()` has selected. */
export function fromStored(row: StoredDelivery): DeliveryRow {
  return {
    identity: {
      deliveryId: row.delivery_id,
      eventId: row.event_id,
      event: row.event,
      formId: row.form_id,
      submissionId: row.submission_id,
      endpointId: row.endpoint_id,
    },
    acceptedAt: row.accepted_at,
    standing: {
      position: { generation: row.generation, try: row.try, deferrals: row.deferrals },
      state: row.state,
      reason: row.reason,
      trigger: row.trigger,
      generationStartedAt: row.generation_started_at,
      nextAttemptAt: row.next_attempt_at,
      completedAt: row.completed_at,
      waitsFor: row.waits_for,
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
