import type { BrokerLogger } from './broker-logger.js';
import type { LinkStep, Session } from './connection/broker-link.js';
import { isNotFound } from './topology.js';

/**
 * A step before the declares that says once, where the broker has several nodes, how to see whether each quorum queue
 * has a member on each of them: no AMQP method tells, and a queue that is made before all nodes have joined is lost with
 * the nodes that had. It warns when this service is about to make queues, and else only mentions it.
 * @param queues the service's own quorum queues
 * @param nodes as many as its `RABBITMQ_URL` names
 */
export function noticeQueueMembers(queues: readonly string[], nodes: number, logger: BrokerLogger): LinkStep {
  let looking: Promise<void> | undefined;
  return async (session) => {
    if (nodes < 2 || queues.length === 0) return;
    // Both connections of a service run this step before they declare: the later one waits for what the other finds.
    looking ??= tell(session, queues, nodes, logger).catch((error: unknown) => {
      looking = undefined;
      throw error;
    });
    await looking;
  };
}

async function tell(session: Session, queues: readonly string[], nodes: number, logger: BrokerLogger): Promise<void> {
  let missing = 0;
  for (const queue of queues) if (!(await stands(session, queue))) missing += 1;
  const facts = { nodes, check: checkCommand(nodes) };
  if (missing === 0) return logger.info(facts, 'AMQP does not tell whether each queue has a member on each node');
  const text = 'queues are made, with members on those nodes only that have joined the cluster by now: check them';
  logger.warn({ ...facts, queues: missing }, text);
}

/** What an operator runs: the first half on one of the nodes, the second where config's code and settings are. */
const checkCommand = (nodes: number): string =>
  'rabbitmqctl -q list_queues --formatter json name type members | ' +
  `node apps/config/dist/ops/ops.js doctor --members - --nodes ${nodes}`;

async function stands(session: Session, queue: string): Promise<boolean> {
  const channel = await session.openExpendableChannel();
  try {
    await channel.checkQueue(queue);
    await channel.close();
    return true;
  } catch (error) {
    if (!session.open || !isNotFound(error)) throw error;
    return false;
  }
}
