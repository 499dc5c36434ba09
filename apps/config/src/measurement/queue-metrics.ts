import { Injectable } from '@nestjs/common';
import {
  Broker,
  crashedQueueOf,
  EVENT_QUEUES,
  parkedQueues,
  QueueLengths,
  QUEUES,
  WORK_QUEUES,
} from '@form-webhooks/broker';
import { Metrics } from '@form-webhooks/telemetry';

const ASK_EACH_MS = 10_000;

/** Where messages wait to be worked on, or for a person. The delays are left out: what waits there is not due. */
const WATCHED = [
  ...new Set([
    ...WORK_QUEUES,
    ...EVENT_QUEUES,
    QUEUES.largeDeliveries,
    QUEUES.due,
    QUEUES.largeDue,
    ...WORK_QUEUES.map(crashedQueueOf),
    ...parkedQueues().map(({ parked }) => parked),
  ]),
];

/**
 * How long the queues of all services are. RabbitMQ's own exporter knows it too, and more, but not every installation
 * scrapes it, and a message in a parked queue must wake somebody in each.
 */
@Injectable()
export class QueueMetrics {
  constructor(metrics: Metrics, { consuming, logger }: Broker) {
    const lengths = new QueueLengths(consuming, WATCHED, logger, ASK_EACH_MS);
    metrics.watchEach('broker_queue_messages', 'Messages in a queue that nobody has taken', ['queue'], () =>
      lengths.all.map(({ queue, messages }) => ({ labels: { queue }, value: messages })),
    );
    metrics.watchEach('broker_queue_consumers', 'Who takes messages from a queue', ['queue'], () =>
      lengths.all.map(({ queue, consumers }) => ({ labels: { queue }, value: consumers })),
    );
  }
}
