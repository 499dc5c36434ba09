import { expect, it } from 'vitest';
import type { OutgoingMessage } from '../publish/outgoing-message.js';
import type { SafePublisher } from '../publish/safe-publisher.js';
import { parkedQueueOf, toQueue, type Destination } from '../destinations.js';
import { laneQueueOf, LARGE_EVENT_BYTES } from '../event-lanes.js';
import { QUEUES } from '../queue-names.js';
import { CrashReturns } from './crash-returns.js';
import { DONE, type IncomingMessage } from './verdict.js';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const LARGE = LARGE_EVENT_BYTES + 1;

it.each([
  ['a small event', QUEUES.events, 10, {}, QUEUES.events],
  ['a large event', QUEUES.events, LARGE, {}, laneQueueOf('large')],
  ['a large delivery', QUEUES.deliveries, LARGE, {}, QUEUES.largeDeliveries],
  ['a large event, the second time,', QUEUES.events, LARGE, { unparked: 1 }, parkedQueueOf(QUEUES.events)],
])(
  '%s past the limit of %s goes where few large bodies are in hand, or aside',
  async (_, queue, bytes, headers, to) => {
    const published: (readonly [Destination, OutgoingMessage])[] = [];
    const publish = async (...one: readonly [Destination, OutgoingMessage]) => void published.push(one);
    const returns = new CrashReturns(queue, { publish } as unknown as SafePublisher, silent);
    const body = Buffer.alloc(bytes);
    const origin = { sentBy: 'form-service', sentAt: 1_790_000_000_000 };
    const place = { queue: returns.source, redelivered: false, isOurs: () => true, routingKey: '' };
    const message = { ...place, ...origin, headers, body };
    expect(await returns.handle(message as IncomingMessage)).toBe(DONE);
    expect(published.map(([destination]) => destination)).toEqual([toQueue(to)]);
    expect(published[0]![1].body).toBe(body);
    const { appId, timestamp, headers: sent } = published[0]![1];
    // Or nobody could tell who sent it once it is parked.
    expect([appId ?? sent['parked_sent_by'], timestamp ?? Number(sent['parked_sent_at']) / 1_000]).toEqual([
      'form-service',
      1_790_000_000,
    ]);
  },
);
