import { EVENT_QUEUES, isLarge, laneFor, type EventLane } from './event-lanes.js';
import { EXCHANGES, OWN_EXCHANGES, ownerOf, QUEUES } from './queue-names.js';

/** The queues whose messages are work: quorum, a delivery limit, a crashed and a parked queue beside each. */
export const WORK_QUEUES: readonly string[] = [QUEUES.formEvents, QUEUES.events, QUEUES.deliveries, QUEUES.deliveryLog];

/** Where a message goes: an exchange and a routing key; a queue directly by the default exchange. */
export interface Destination {
  readonly exchange: string;
  readonly routingKey: string;
}

export const toQueue = (queue: string): Destination => ({ exchange: '', routingKey: queue });

/** Where a consumer puts what it takes out of its queue: back to work, or aside. */
export const toOwnQueue = (queue: string): Destination =>
  ownerOf(queue) === 'ingest' ? { exchange: OWN_EXCHANGES.ingestReturns, routingKey: queue } : toQueue(queue);

/** Where a call to an RPC queue goes. */
export const toRpc = (queue: string): Destination =>
  queue === QUEUES.configRpc ? { exchange: OWN_EXCHANGES.configCalls, routingKey: queue } : toQueue(queue);

/** Where ingest hands over an accepted event, a fan-out its deliveries, and everyone their records for the log. */
export const TO_EVENTS: Destination = { exchange: EXCHANGES.events, routingKey: 'accepted' };
export const toLane = (lane: EventLane): Destination =>
  lane === 'normal' ? TO_EVENTS : { exchange: EXCHANGES.eventLanes, routingKey: lane };
export const TO_DELIVERIES: Destination = { exchange: EXCHANGES.deliveries, routingKey: 'due' };
/** Where a delivery goes to be attempted, whose body has so many bytes. */
export const toDeliveries = (bytes: number): Destination =>
  isLarge(bytes) ? toQueue(QUEUES.largeDeliveries) : TO_DELIVERIES;
export const TO_LOG: Destination = { exchange: EXCHANGES.log, routingKey: 'records' };

/** Where what can't be processed waits for a person, with its reason; all lanes of events have one. */
export const parkedQueueOf = (queue: string): string => `${workOf(queue)}.parked`;

/** Where a handler's `park` goes: what the form service sent wrong is kept apart from what is our own fault. */
export const refusedQueueOf = (queue: string): string =>
  queue === QUEUES.formEvents ? QUEUES.formEventsRejected : parkedQueueOf(queue);

/** Where the delivery limit puts a message; its app gives it one more chance from there (`CrashReturns`). */
export const crashedQueueOf = (queue: string): string => `${workOf(queue)}.crashed`;

function workOf(queue: string): string {
  if (queue === QUEUES.largeDeliveries) return QUEUES.deliveries;
  return EVENT_QUEUES.includes(queue) ? QUEUES.events : queue;
}

/**
 * Where a message that a crash or a person's parking took from its work goes back to work: what is large among its like,
 * or a few of them would fill the memory of a dispatcher that takes many at a time.
 */
export function workFor(work: string, bytes: number): string {
  if (work === QUEUES.events) return laneFor(work, bytes);
  return work === QUEUES.deliveries && isLarge(bytes) ? QUEUES.largeDeliveries : work;
}

/** Every queue in which messages wait for a person, with the work queue they came from. */
export const parkedQueues = (): readonly { readonly parked: string; readonly work: string }[] => [
  ...WORK_QUEUES.map((work) => ({ parked: parkedQueueOf(work), work })),
  { parked: QUEUES.formEventsRejected, work: QUEUES.formEvents },
];
