import { DEFERRAL_RUNGS_MS } from '@form-webhooks/domain';
import type { Channel } from 'amqplib';
import { crashedQueueOf, parkedQueueOf, toOwnQueue, toQueue, WORK_QUEUES, type Destination } from './destinations.js';
import { EVENT_QUEUES, laneQueueOf, OTHER_LANES } from './event-lanes.js';
import { EXCHANGES, OWN_EXCHANGES, ownerOf, QUEUES, type Owner } from './queue-names.js';

/*
 * Every exchange, queue, argument and binding of the product, as data. Nowhere else is a queue's argument written:
 * another argument under the same name is a 406 that kills the channel, so whatever may differ between two
 * deployments (a delay, a margin) is part of the queue's name.
 *
 * Written for RabbitMQ 3.10 up to 4.x, and tried on 3.10.8 and 4.3.6.
 */

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
/** Whether the broker's user lacks the right to it. */
export const isAccessRefused = (error: unknown): boolean => (error as { readonly code?: unknown }).code === 403;

/** Declares one queue; the same call renews an expiring one. */
export async function declareQueue(channel: Channel, queue: QueueSpec): Promise<void> {
  await channel.assertQueue(queue.name, { durable: true, arguments: queue.arguments });
}

/** Binds the queues of a topology, all of which stand. */
export async function bindQueues(channel: Channel, { bindings }: Topology): Promise<void> {
  for (const { exchange, queue, routingKey = '#' } of bindings) await channel.bindQueue(queue, exchange, routingKey);
}
