import {
  DELIVERY_ID_PATTERN,
  deriveDeliveryId,
  ENDPOINT_ID_PATTERN,
  FIRST_POSITION,
  rfc3339,
  TRIGGERS,
  type DeliveryId,
  type EndpointId,
  type Position,
  type Trigger,
} from '@form-webhooks/domain';
import { carriedHeaders, readCarriedEvent, type CarriedEvent } from './event-message.js';
import { CAME_BEFORE, HeaderReader, type Headers } from './headers.js';

const NOT_EMPTY = /./s;

/** One delivery that is due, or waits for its turn; the body is the envelope's tail. */
export interface DeliveryMessage extends CarriedEvent {
  readonly deliveryId: DeliveryId;
  readonly endpointId: EndpointId;
  readonly position: Position;
  /** When this generation began, ms since the epoch; `DELIVERY_MAX_AGE` counts from it. */
  readonly generationStartedAt: number;
  /** When the next attempt may start, ms since the epoch. */
  readonly dueAt: number;
  readonly trigger: Trigger;
  /**
   * The reconciliation that published it again, since the log knew of no outcome of this try and no queue held it. A
   * dispatcher that settled it has lost the record with the broker, and is to make the attempt anew: once, however often
   * this message comes.
   */
  readonly republishedBy?: string;
  /**
   * It, or its event, was handed over before, to a dispatcher that may have attempted it and told the log: the log is
   * asked first.
   */
  readonly cameBefore?: true;
}

/**
 * The first delivery of an event for an endpoint, due at once.
 * @param startedAt when its generation begins, ms since the epoch
 */
export const firstDelivery = (
  { event, eventId, formId, submissionId, acceptedAt, tail, trace }: CarriedEvent,
  endpointId: EndpointId,
  { startedAt, trigger }: { readonly startedAt: number; readonly trigger: Trigger },
): DeliveryMessage => ({
  event,
  eventId,
  formId,
  submissionId,
  acceptedAt,
  tail,
  trace,
  deliveryId: deriveDeliveryId(eventId, endpointId),
  endpointId,
  position: FIRST_POSITION,
  generationStartedAt: startedAt,
  dueAt: startedAt,
  trigger,
});

export function deliveryHeaders(message: DeliveryMessage): Record<string, string | number> {
  return {
    ...carriedHeaders(message),
    delivery_id: message.deliveryId,
    endpoint_id: message.endpointId,
    generation: message.position.generation,
    generation_started_at: rfc3339(message.generationStartedAt),
    try: message.position.try,
    deferrals: message.position.deferrals,
    due_at: rfc3339(message.dueAt),
    trigger: message.trigger,
    ...(message.republishedBy !== undefined && { republished_by: message.republishedBy }),
    ...(message.cameBefore && { [CAME_BEFORE]: 1 }),
  };
}

/**
 * Tells one turn of a delivery from all others by its message's headers: what the reconciler publishes again in its place
 * has the same.
 */
export const deliveryTurnOf = ({ delivery_id, generation, try: nth, deferrals }: Headers): string =>
  [delivery_id, generation, nth, deferrals].join(':');

/** @throws UnreadableMessage */
export function readDeliveryMessage(headers: Headers, body: Buffer): DeliveryMessage {
  const event = readCarriedEvent(headers, body);
  const read = new HeaderReader(headers);
  return {
    ...event,
    deliveryId: read.matching<DeliveryId>('delivery_id', DELIVERY_ID_PATTERN),
    endpointId: read.matching<EndpointId>('endpoint_id', ENDPOINT_ID_PATTERN),
    position: { generation: read.count('generation'), try: read.count('try'), deferrals: read.count('deferrals') },
    generationStartedAt: read.moment('generation_started_at'),
    dueAt: read.moment('due_at'),
    trigger: read.oneOf<Trigger>('trigger', TRIGGERS),
    ...(headers['republished_by'] !== undefined && { republishedBy: read.matching('republished_by', NOT_EMPTY) }),
    ...(headers[CAME_BEFORE] !== undefined && { cameBefore: true }),
  };
}
