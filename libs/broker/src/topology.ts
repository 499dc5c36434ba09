import { DEFERRAL_RUNGS_MS } from '@form-webhooks/domain';
import type { Channel } from 'amqplib';

/*
 * Every exchange, queue, argument and binding of the product, as data. Nowhere else is a queue's argument written:
 * another argument under the same name is a 406 that kills the channel, so whatever may differ between two
 * deployments (a delay, a margin) is part of the queue's name.
 *
 * Written for RabbitMQ 3.10 up to 4.x.
 */

export const EXCHANGES = {
  /** Where the form service publishes: topic, routing key = event name. */
  formEvents: 'form.events',
  events: 'webhook.events',
  /** Events that take another lane than the normal one, by the lane's name. */
  eventLanes: 'webhook.event-lanes',
  deliveries: 'webhook.deliveries',
  log: 'webhook.log',
  configChanges: 'webhook.config-changes',
} as const;

/** Ways between our own services that no message of theirs names: why they are there, see `permissions.ts`. */
export const OWN_EXCHANGES = {
  /** To ingest's own queues, for what it puts back to work, parks or rejects, and what the broker takes from it. */
  ingestReturns: 'ingest.returns',
  /** To `config.rpc`, for whoever asks config. */
  configCalls: 'config.calls',
} as const;

export const QUEUES = {
  formEvents: 'ingest.form-events',
  formEventsRejected: 'ingest.form-events.rejected',
  events: 'dispatcher.events',
  deliveries: 'dispatcher.deliveries',
  due: 'dispatcher.due',
  /** The same for large bodies, as `LARGE_EVENT_BYTES` says: of these a dispatcher takes few at a time. */
  largeDeliveries: 'dispatcher.deliveries.large',
  largeDue: 'dispatcher.due.large',
  deliveryLog: 'config.delivery-log',
  configRpc: 'config.rpc',
  dispatcherRpc: 'dispatcher.rpc',
} as const;

/** So many lanes carry the forms that send more than their share. Several forms share one; a form prefers the same always. */
export const BULK_LANES = 4;
/** Events with more bytes than this travel apart: a prefetch counts messages, so few large ones would fill the memory. */
export const LARGE_EVENT_BYTES = 64 * 1024;

export const isLarge = (bytes: number): boolean => bytes > LARGE_EVENT_BYTES;

/**
 * How an event travels to the dispatchers. One queue for all would make everybody wait behind a form that sends a
 * hundred thousand at once.
 */
export type EventLane = 'normal' | 'large' | `bulk-${number}`;

const bulkLane = (n: number): EventLane => `bulk-${n}`;

/** The lanes besides the normal one. */
export const OTHER_LANES: readonly EventLane[] = [
  'large',
  ...Array.from({ length: BULK_LANES }, (_, n) => bulkLane(n)),
];

/** The queue of a lane. */
export const laneQueueOf = (lane: EventLane): string =>
  lane === 'normal' ? QUEUES.events : `${QUEUES.events}.${lane}`;

/** Every queue by which events come, the normal one first. */
export const EVENT_QUEUES: readonly string[] = [QUEUES.events, ...OTHER_LANES.map(laneQueueOf)];

/**
 * The bulk lanes of a form that sends more than its share, in the order in which it prefers them.
 * @param hash any number that the form's id always gives
 */
export const bulkLanesFor = (hash: number): readonly EventLane[] =>
  Array.from({ length: BULK_LANES }, (_, n) => bulkLane((hash + n) % BULK_LANES));

/** The lane in which an event of so many bytes goes on that came by a lane: a large body stays in no other than its own. */
export const laneFor = (queue: string, bytes: number): string => (isLarge(bytes) ? laneQueueOf('large') : queue);

/** Whether a queue is a bulk lane: what comes by it waits while others have work. */
export const isBulk = (queue: string): boolean => queue.startsWith(`${QUEUES.events}.bulk-`);

/** Past this many deliveries of one message to crashing consumers it is parked. Waiting is never a nack. */
export const DELIVERY_LIMIT = 50;
/** Parked messages are read and put back by scans; 4.x would drop them after 20 without a limit of their own. */
const PARKED_DELIVERY_LIMIT = 1_000_000_000;

const RPC_TTL_MS: Readonly<Record<string, number>> = { [QUEUES.configRpc]: 5_000, [QUEUES.dispatcherRpc]: 20_000 };

/** The delays on which an event waits while its form's endpoints can't be looked up. */
export const EVENT_RUNGS_MS: readonly number[] = DEFERRAL_RUNGS_MS.filter((ms) => ms <= 60_000);

/** How much longer than twice its delay an endpoint's retry queue outlives its last use, if nothing else is set. */
export const DEFAULT_RETRY_QUEUE_MARGIN_MS = 600_000;

export type ExchangeType = 'topic' | 'fanout';

/** Who declares something. Everyone else only uses it, and waits until it is there. */
export type Owner = 'ingest' | 'dispatcher' | 'config';

export interface ExchangeSpec {
  readonly name: string;
  readonly type: ExchangeType;
  readonly owner: Owner;
}

export interface QueueSpec {
  readonly name: string;
  readonly arguments: QueueArguments;
  /** How versions before declared it: a queue that stands like this serves on. */
  readonly former?: QueueArguments;
}

type QueueArguments = Readonly<Record<string, string | number>>;

export interface BindingSpec {
  readonly exchange: string;
  readonly queue: string;
  /** All messages without it. */
  readonly routingKey?: string;
}

export interface Topology {
  readonly exchanges: readonly ExchangeSpec[];
  readonly queues: readonly QueueSpec[];
  /**
   * Classic queues that live on one node. While it is away they can't be declared, and everything else must work on.
   */
  readonly singleNodeQueues: readonly QueueSpec[];
  readonly bindings: readonly BindingSpec[];
}

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

/** The queues whose messages are work: quorum, a delivery limit, a crashed and a parked queue beside each. */
export const WORK_QUEUES: readonly string[] = [QUEUES.formEvents, QUEUES.events, QUEUES.deliveries, QUEUES.deliveryLog];

/** The services' own queues are named after them; what waits for a retry is the dispatcher's. */
export function ownerOf(queue: string): Owner {
  if (queue.startsWith('ingest.')) return 'ingest';
  return queue.startsWith('config.') ? 'config' : 'dispatcher';
}

function workQueue(name: string): QueueSpec {
  const crashed = toOwnQueue(crashedQueueOf(name));
  const queue = { name, arguments: workQueueArguments(crashed) };
  if (crashed.exchange === '') return queue;
  return { ...queue, former: workQueueArguments(toQueue(crashed.routingKey)) };
}

const workQueueArguments = (crashed: Destination): QueueArguments => ({
  'x-queue-type': 'quorum',
  'x-delivery-limit': DELIVERY_LIMIT,
  ...deadLetterAtLeastOnce(crashed),
});

function parkedQueue(name: string): QueueSpec {
  return { name, arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': PARKED_DELIVERY_LIMIT } };
}

/** Quorum into quorum loses nothing only in this combination: the source keeps a message until the target confirms. */
function deadLetterAtLeastOnce({ exchange, routingKey }: Destination): Record<string, string> {
  return {
    'x-dead-letter-exchange': exchange,
    'x-dead-letter-routing-key': routingKey,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  };
}

function sharedDelay(name: string, delayMs: number, target: string): QueueSpec {
  return {
    name,
    arguments: { 'x-queue-type': 'quorum', 'x-message-ttl': delayMs, ...deadLetterAtLeastOnce(toQueue(target)) },
  };
}

/** A delay that all endpoints share. It never expires. Large bodies have delays of their own. */
export const sharedRetryQueue = (delayMs: number, large = false): QueueSpec =>
  large
    ? sharedDelay(`retry.shared.${delayMs}.large`, delayMs, QUEUES.largeDeliveries)
    : sharedDelay(`retry.shared.${delayMs}`, delayMs, QUEUES.deliveries);

/**
 * Where an event waits whose form can't be looked up. It falls due in the lane by which it came: all that waited for
 * config falls due together, and large bodies or one form's surplus must not come before everybody then.
 * @param lane one of `EVENT_QUEUES`; the normal one's delays have no suffix
 */
export const eventRetryQueue = (delayMs: number, lane: string = QUEUES.events): QueueSpec =>
  sharedDelay(`retry.events.${delayMs}${lane.slice(QUEUES.events.length)}`, delayMs, lane);

/** All of them. */
export const EVENT_RETRY_QUEUES: readonly QueueSpec[] = EVENT_QUEUES.flatMap((lane) =>
  EVENT_RUNGS_MS.map((ms) => eventRetryQueue(ms, lane)),
);

/**
 * An endpoint's own delay: classic, because only there a re-declare renews `x-expires` (a quorum queue would vanish
 * with its messages) and because dead-lettering into the classic `dispatcher.due` survives a broker's death. It
 * vanishes 2 × delay + margin after its last use; `RetryQueues` renews it four times as often.
 */
export function endpointRetryQueue(endpointId: string, delayMs: number, marginMs: number, large = false): QueueSpec {
  const suffix = marginMs === DEFAULT_RETRY_QUEUE_MARGIN_MS ? '' : `.m${marginMs}`;
  return {
    name: `retry.${endpointId}.${delayMs}${suffix}${large ? '.large' : ''}`,
    arguments: {
      'x-queue-type': 'classic',
      'x-message-ttl': delayMs,
      'x-expires': expiryOf(delayMs, marginMs),
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': large ? QUEUES.largeDue : QUEUES.due,
    },
  };
}

/** How long an endpoint's retry queue outlives its last use, ms. */
export const expiryOf = (delayMs: number, marginMs: number): number => 2 * delayMs + marginMs;

/** Quorum: a classic one could not even be declared again while the node that holds it is away. */
const rpcQueue = (name: string): QueueSpec => ({
  name,
  arguments: { 'x-queue-type': 'quorum', 'x-message-ttl': RPC_TTL_MS[name]!, 'x-delivery-limit': DELIVERY_LIMIT },
});

/**
 * Config has the exchanges that it and the dispatchers publish to, so that it, which is started first, waits for nobody.
 */
const EXCHANGE_SPECS: readonly ExchangeSpec[] = [
  { name: EXCHANGES.formEvents, type: 'topic', owner: 'ingest' },
  { name: EXCHANGES.events, type: 'topic', owner: 'dispatcher' },
  { name: EXCHANGES.eventLanes, type: 'topic', owner: 'dispatcher' },
  { name: EXCHANGES.deliveries, type: 'topic', owner: 'config' },
  { name: EXCHANGES.log, type: 'topic', owner: 'config' },
  { name: EXCHANGES.configChanges, type: 'fanout', owner: 'config' },
  { name: OWN_EXCHANGES.ingestReturns, type: 'topic', owner: 'ingest' },
  { name: OWN_EXCHANGES.configCalls, type: 'topic', owner: 'config' },
];

const FOREIGN_EXCHANGES: Readonly<Record<Owner, readonly string[]>> = {
  ingest: [EXCHANGES.events, EXCHANGES.eventLanes, EXCHANGES.configChanges, OWN_EXCHANGES.configCalls],
  dispatcher: [EXCHANGES.deliveries, EXCHANGES.log, EXCHANGES.configChanges, OWN_EXCHANGES.configCalls],
  config: [],
};

const INGEST_RETURNS = [
  QUEUES.formEvents,
  crashedQueueOf(QUEUES.formEvents),
  parkedQueueOf(QUEUES.formEvents),
  QUEUES.formEventsRejected,
];

/**
 * Everything that is declared at the start and never expires. The shared retry queues never expire either, but are
 * declared beside the work (`RetryQueues`): dozens of declares would keep a dispatcher from consuming for as long after
 * each reconnect, and what it retries meanwhile would go through them.
 */
export function standingTopology(): Topology {
  return {
    exchanges: EXCHANGE_SPECS,
    queues: [
      ...WORK_QUEUES.flatMap((name) => [parkedQueueOf(name), crashedQueueOf(name)]).map(parkedQueue),
      parkedQueue(QUEUES.formEventsRejected),
      ...WORK_QUEUES.map(workQueue),
      ...OTHER_LANES.map(laneQueueOf).map(workQueue),
      workQueue(QUEUES.largeDeliveries),
      ...EVENT_RETRY_QUEUES,
      rpcQueue(QUEUES.configRpc),
      rpcQueue(QUEUES.dispatcherRpc),
    ],
    singleNodeQueues: [QUEUES.due, QUEUES.largeDue].map((name) => ({ name, arguments: { 'x-queue-type': 'classic' } })),
    bindings: [
      { exchange: EXCHANGES.formEvents, queue: QUEUES.formEvents },
      { exchange: EXCHANGES.events, queue: QUEUES.events },
      ...OTHER_LANES.map((lane) => ({ exchange: EXCHANGES.eventLanes, queue: laneQueueOf(lane), routingKey: lane })),
      { exchange: EXCHANGES.deliveries, queue: QUEUES.deliveries },
      { exchange: EXCHANGES.log, queue: QUEUES.deliveryLog },
      { exchange: OWN_EXCHANGES.configCalls, queue: QUEUES.configRpc },
      ...INGEST_RETURNS.map((queue) => ({ exchange: OWN_EXCHANGES.ingestReturns, queue, routingKey: queue })),
    ],
  };
}

/** The part of a topology that a service declares. Bindings go with their queue. */
export function ownTopology(owner: Owner, { exchanges, queues, singleNodeQueues, bindings }: Topology): Topology {
  return {
    exchanges: exchanges.filter((exchange) => exchange.owner === owner),
    queues: queues.filter(({ name }) => ownerOf(name) === owner),
    singleNodeQueues: singleNodeQueues.filter(({ name }) => ownerOf(name) === owner),
    bindings: bindings.filter(({ queue }) => ownerOf(queue) === owner),
  };
}

/** The exchanges that a service publishes or binds to and does not declare: without them it can't work. */
export const foreignExchangesOf = (owner: Owner): readonly ExchangeSpec[] =>
  FOREIGN_EXCHANGES[owner].map((name) => EXCHANGE_SPECS.find((exchange) => exchange.name === name)!);

/** What a check of a queue or an exchange fails with that is not there; it closes the channel, too. */
export const isNotFound = (error: unknown): boolean => (error as { readonly code?: unknown }).code === 404;

/** Declares one queue; the same call renews an expiring one. */
export async function declareQueue(channel: Channel, queue: QueueSpec): Promise<void> {
  await channel.assertQueue(queue.name, { durable: true, arguments: queue.arguments });
}

/** Binds the queues of a topology, all of which stand. */
export async function bindQueues(channel: Channel, { bindings }: Topology): Promise<void> {
  for (const { exchange, queue, routingKey = '#' } of bindings) await channel.bindQueue(queue, exchange, routingKey);
}
