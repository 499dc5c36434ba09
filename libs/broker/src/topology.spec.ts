import { describe, expect, it } from 'vitest';
import { workFor } from './destinations.js';
import { EVENT_QUEUES, LARGE_EVENT_BYTES, laneQueueOf } from './event-lanes.js';
import { QUEUES } from './queue-names.js';
import { EVENT_RUNGS_MS, eventRetryQueue, standingTopology } from './topology.js';

describe('where an event waits for its form', () => {
  it('is declared for each lane and delay, and falls due in the lane by which it came', () => {
    const standing = new Map(standingTopology().queues.map(({ name, arguments: given }) => [name, given]));
    for (const lane of EVENT_QUEUES) {
      for (const ms of EVENT_RUNGS_MS) {
        expect(standing.get(eventRetryQueue(ms, lane).name)).toMatchObject({
          'x-message-ttl': ms,
          'x-dead-letter-exchange': '',
          'x-dead-letter-routing-key': lane,
        });
      }
    }
  });

  it('keeps the names and arguments of the normal lane’s, which stand where a version before ran', () => {
    expect(eventRetryQueue(1_000)).toEqual({
      name: 'retry.events.1000',
      arguments: {
        'x-queue-type': 'quorum',
        'x-message-ttl': 1_000,
        'x-dead-letter-exchange': '',
        'x-dead-letter-routing-key': QUEUES.events,
        'x-dead-letter-strategy': 'at-least-once',
        'x-overflow': 'reject-publish',
      },
    });
  });
});

it.each([
  [QUEUES.events, LARGE_EVENT_BYTES, QUEUES.events],
  [QUEUES.events, LARGE_EVENT_BYTES + 1, laneQueueOf('large')],
  [QUEUES.deliveries, LARGE_EVENT_BYTES, QUEUES.deliveries],
  [QUEUES.deliveries, LARGE_EVENT_BYTES + 1, QUEUES.largeDeliveries],
  [QUEUES.formEvents, LARGE_EVENT_BYTES + 1, QUEUES.formEvents],
  [QUEUES.deliveryLog, LARGE_EVENT_BYTES + 1, QUEUES.deliveryLog],
])('what comes back to %s with %i bytes goes to %s', (work, bytes, queue) => {
  expect(workFor(work, bytes)).toBe(queue);
});
