import type { EventId, EventName, EventOutcome, FormId, SubmissionId } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import type { DeliveryRow } from '../deliveries/delivery-row.js';
import { DELIVERIES, fromStored, type StoredDelivery } from '../log-tables/deliveries-table.js';

/** An event, wherever it lies in the log. */
export interface FoundEvent {
  readonly eventId: EventId;
  readonly event: EventName;
  readonly formId: FormId;
  readonly submissionId: SubmissionId;
  /** ms since the epoch; null for a test send, and for what the first release wrote. */
  readonly acceptedAt: number | null;
  readonly outcome: EventOutcome;
  readonly key: string | null;
}

/** More than a form can have endpoints; a submission's erasure and replays add none. */
const MAX_DELIVERIES = 200;

/**
 * The events that an id names, whatever their form: as the id of an event or of one of its deliveries, or as the key with
 * which events were sent. An index finds each, over all days that the log holds.
 * @param workspaceId only those of its forms; of any form, also one that is not registered, without it
 */
export async function findEvents(
  tx: Transaction,
  id: string,
  workspaceId: string | undefined,
  limit: number,
): Promise<FoundEvent[]> {
  const found = (await tx.query(FIND, [id, workspaceId ?? null, limit])) as FoundEvent[];
  // A repeat after more than a day has a row of its own: the newest stands for all.
  return found.filter((event, at) => found.findIndex(({ eventId }) => eventId === event.eventId) === at);
}

/** The deliveries of an event as they stand, at most two hundred. Its submission's index finds them. */
export async function deliveriesOf(tx: Transaction, event: FoundEvent): Promise<DeliveryRow[]> {
  const { submissionId, formId, eventId } = event;
  const rows = (await tx.query(DELIVERIES_OF, [submissionId, formId, eventId])) as StoredDelivery[];
  return rows.map(fromStored);
}

const IN_WORKSPACE = `($2::text IS NULL OR EXISTS (SELECT FROM forms f WHERE f.id = e.form_id AND f.workspace_id = $2))`;

/** Three looks by an index each: one condition with OR would read every row. */
const BY = [
  `SELECT * FROM events e WHERE e.event_id = $1 AND ${IN_WORKSPACE}`,
  `SELECT * FROM events e WHERE e.idempotency_key = $1 AND ${IN_WORKSPACE}`,
  `SELECT e.* FROM deliveries d JOIN events e ON e.event_id = d.event_id
    WHERE d.delivery_id = $1 AND ${IN_WORKSPACE}`,
];

const FIND = `
  SELECT e.event_id AS "eventId", e.event, e.form_id AS "formId", e.submission_id AS "submissionId",
    (extract(epoch FROM e.accepted_at) * 1000)::float8 AS "acceptedAt", coalesce(e.outcome, 'fanned_out') AS outcome,
    e.idempotency_key AS key
  FROM (${BY.map((look) => `(${look} ORDER BY e.day DESC, e.accepted_at DESC NULLS LAST LIMIT $3)`).join(' UNION ALL ')}) e
  ORDER BY e.day DESC, e.accepted_at DESC NULLS LAST, e.event_id LIMIT $3`;

const DELIVERIES_OF = `
  SELECT DISTINCT ON (d.delivery_id) ${DELIVERIES.read('d.')} FROM deliveries d
  WHERE d.submission_id = $1 AND d.form_id = $2 AND d.event_id = $3
  ORDER BY d.delivery_id, d.day DESC LIMIT ${MAX_DELIVERIES}`;
