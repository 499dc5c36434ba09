import { inTime } from '@form-webhooks/domain';
import type { Channel } from 'amqplib';
import type { BrokerOptions } from './broker.js';
import type { BrokerLogger } from './broker-logger.js';
import type { LinkStep, Session } from './connection/broker-link.js';
import {
  bindQueues,
  declareQueue,
  foreignExchangesOf,
  isNotFound,
  ownTopology,
  standingTopology,
  type ExchangeSpec,
  type QueueSpec,
} from './topology.js';

/** Of a queue whose node is away 3.10 says so at once, 4.3 after a minute [trap 23]. */
const AWAY_WITHIN_MS = 3_000;

/**
 * Declares what is the service's own, and checks that what it uses of others is there: their owner declares it, and
 * until then the connection is tried again. On channels of their own, which are closed again: a refused declare closes
 * its channel, and that must not be one that is in use.
 */
export function declareOwn({ owner, logger }: BrokerOptions): LinkStep {
  if (owner === 'nobody') return () => Promise.resolve();
  const all = standingTopology();
  const topology = owner ? ownTopology(owner, all) : all;
  const foreign = owner ? foreignExchangesOf(owner) : [];
  return async (session) => {
    for (const exchange of foreign) await expectExchange(session, exchange);
    const channel = await session.openExpendableChannel();
    for (const { name, type } of topology.exchanges) await channel.assertExchange(name, type, { durable: true });
    for (const queue of topology.queues) await declareOrKeep(session, channel, queue);
    await bindQueues(channel, topology);
    await channel.close();
    await Promise.all(topology.singleNodeQueues.map((queue) => declareIfThere(session, queue, logger)));
  };
}

/** The names of the quorum queues that a service declares at its start. */
export const ownQuorumQueues = ({ owner }: Pick<BrokerOptions, 'owner'>): readonly string[] =>
  owner === undefined || owner === 'nobody'
    ? []
    : ownTopology(owner, standingTopology()).queues.map(({ name }) => name);

async function expectExchange(session: Session, { name, owner }: ExchangeSpec): Promise<void> {
  const channel = await session.openExpendableChannel();
  try {
    await channel.checkExchange(name);
    await channel.close();
  } catch (error) {
    if (!session.open || !isNotFound(error)) throw error;
    throw new Error(`the exchange ${name} is not there yet: ${owner} declares it at its start`, { cause: error });
  }
}

/** A queue with the arguments of a version before stays as it is: it can't be changed, only deleted with what it holds. */
async function declareOrKeep(session: Session, channel: Channel, queue: QueueSpec): Promise<void> {
  if (!queue.former) return declareQueue(channel, queue);
  const own = await session.openExpendableChannel();
  try {
    await declareQueue(own, queue);
    await own.close();
  } catch (error) {
    if (!session.open) throw error;
    await declareQueue(channel, { name: queue.name, arguments: queue.former });
  }
}

/** While the node that holds such a queue is away everything else must work on. */
async function declareIfThere(session: Session, queue: QueueSpec, logger: BrokerLogger): Promise<void> {
  const text = 'a queue can not be declared: the node that holds it is away';
  const own = await session.openExpendableChannel();
  const declared = declareQueue(own, queue).then(() => own.close());
  try {
    if (await inTime(declared, AWAY_WITHIN_MS)) return;
    logger.warn({ queue: queue.name, within_ms: AWAY_WITHIN_MS }, text);
  } catch (error) {
    if (!session.open) throw error;
    logger.warn({ queue: queue.name, err: error }, text);
  }
}
