import { PublishFailed, QUEUES, toQueue, type Broker, type PublishFailure } from '@form-webhooks/broker';
import { describe, expect, it, vi } from 'vitest';
import type { OutboxRelay } from '../outbox/outbox-relay.js';
import { FencedQueues } from './fenced-queues.js';

function stage(isCluster: boolean, failure?: PublishFailure) {
  const to = toQueue(QUEUES.due);
  const publish = vi.fn(() => (failure ? Promise.reject(new PublishFailed(failure, to)) : Promise.resolve()));
  const link = { addStep: () => undefined, isCluster };
  const broker = { publishing: link, consuming: link, publisher: { publish } } as unknown as Broker;
  return { publish, queues: new FencedQueues(broker, {} as OutboxRelay) };
}

describe('the fence through the queue that lives on one node', () => {
  it.each(['unroutable', 'nacked'] as const)('waits for no node of a cluster that is away: %s', async (failure) => {
    const { queues } = stage(true, failure);
    expect(await queues.sendFence({ id: 'rec_1', phase: 'due' }, 1)).toBe('away');
  });

  it.each([
    [true, 'disconnected', 'due'],
    [true, 'timeout', 'due'],
    [true, 'unroutable', 'deliveries'],
    [false, 'unroutable', 'due'],
  ] as const)('is waited for otherwise: a cluster %s, %s, phase %s', async (isCluster, failure, phase) => {
    const { queues } = stage(isCluster, failure);
    await expect(queues.sendFence({ id: 'rec_1', phase }, 1)).rejects.toThrow(failure);
  });

  it('is sent where it can be', async () => {
    const { queues, publish } = stage(true);
    expect(await queues.sendFence({ id: 'rec_1', phase: 'due' }, 1)).toBe('sent');
    expect(publish).toHaveBeenCalledOnce();
  });
});
