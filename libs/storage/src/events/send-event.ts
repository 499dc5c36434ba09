import { FIRST_POSITION, type EndpointId } from '@form-webhooks/domain';
import { deliveryHeaders, firstDelivery, type CarriedEvent, type DeliveryMessage } from '@form-webhooks/messages';
import type { Transaction } from '../database/data-source.js';
import { dayOf, neighbourhoodOf } from '../database/log-days.js';
import { pendingRow, type DeliveryRow } from '../deliveries/delivery-row.js';
import { findErasedSubmissions, joinLogWriters } from '../erasure/erased-submissions.js';
import { insertDeliveries } from '../log-writing/store-deliveries.js';
import type { LoggedDelivery } from '../outbox/outbox.js';

/** Why an event can't be sent. */
export type EventRefusal = 'unknown' | 'payload_erased';

/** An event of the log without its payload: many of a call's, each of up to a MiB, are never held together. */
export type LockedEvent = Omit<CarriedEvent, 'tail'>;

/** Locks an event of the form, so that of two calls at once the second finds the deliveries of the first. */
export async function lockEvent(tx: Transaction, formId: string, eventId: string): Promise<LockedEvent | EventRefusal> {
  await joinLogWriters(tx);
  const [found] = (await tx.query(LOCK, [eventId, formId])) as ((LockedEvent & { hasPayload: boolean }) | undefined)[];
  if (!found) return 'unknown';
  const { hasPayload, ...event } = found;
  const erased = await findErasedSubmissions(tx, [event]);
  return erased.has(event) || !hasPayload ? 'payload_erased' : event;
}

/**
 * Makes a delivery, due at once, for each of these endpoints that has none of the event yet.
 * @returns what goes to the dispatchers by way of the outbox (`addWithPayload`), and the rows for `countDeliveries`
 */
export async function startDeliveries(
  tx: Transaction,
  event: LockedEvent,
  endpointIds: readonly EndpointId[],
  at: number,
): Promise<{ readonly deliveries: LoggedDelivery[]; readonly rows: DeliveryRow[] }> {
  const carried = { ...event, tail: NO_TAIL };
  const wanted = endpointIds.map((id) => firstDelivery(carried, id, { startedAt: at, trigger: 'event' }));
  const ids = wanted.map(({ deliveryId }) => deliveryId);
  const standing = (await tx.query('SELECT delivery_id FROM deliveries WHERE delivery_id = ANY ($1::text[])', [
    ids,
  ])) as {
    delivery_id: string;
  }[];
  const known = new Set(standing.map(({ delivery_id }) => delivery_id));
  const due = { position: FIRST_POSITION, trigger: 'event', generationStartedAt: at, nextAttemptAt: at } as const;
  const rows = await insertDeliveries(
    tx,
    wanted.filter(({ deliveryId }) => !known.has(deliveryId)).map((message) => pendingRow(message, due)),
  );
  if (rows.length > 0) await tx.query(FANNED_OUT, [event.eventId, event.formId]);
  const made = new Set(rows.map(({ identity }) => identity.deliveryId));
  return { deliveries: wanted.filter(({ deliveryId }) => made.has(deliveryId)).map(logged), rows };
}

const NO_TAIL = Buffer.alloc(0);

const logged = (message: DeliveryMessage): LoggedDelivery => ({
  deliveryId: message.deliveryId,
  eventId: message.eventId,
  days: neighbourhoodOf(dayOf(message.acceptedAt)),
  headers: deliveryHeaders(message),
});

const LOCK = `
  SELECT event_id AS "eventId", event, form_id AS "formId", submission_id AS "submissionId",
    (extract(epoch FROM accepted_at) * 1000)::float8 AS "acceptedAt", tail IS NOT NULL AS "hasPayload"
  FROM events WHERE event_id = $1 AND form_id = $2 AND accepted_at IS NOT NULL ORDER BY day DESC LIMIT 1 FOR UPDATE`;

const FANNED_OUT = `UPDATE events SET outcome = 'fanned_out' WHERE event_id = $1 AND form_id = $2 AND outcome < 'fanned_out'`;
