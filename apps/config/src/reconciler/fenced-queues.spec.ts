import { PublishFailed, QUEUES, toQueue, type Broker, type PublishFailure } from '@form-webhooks/broker';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OutboxRelay } from '../outbox/outbox-relay.js';
import { FencedQueues } from './fenced-queues.js';

function stage(isCluster: boolean, failure?: PublishFailure) {
  const to = toQueue(QUEUES.due);
  const publish = vi.fn(() => (failure ? Promise.reject(new PublishFailed(failure, to)) : Promise.resolve()));
  const alarms: ((blocked: boolean) => void)[] = [];
  const link = { addStep: () => undefined, onBlocked: (told: () => void) => alarms.push(told), isCluster };
  const status = { publishing: true, consuming: true, blocked: false };
  const broker = { publishing: link, consuming: link, publisher: { publish }, status: () => status };
  const relay = { lastBacklog: () => ({ oldestSeconds: 0 }) };
  const queues = new FencedQueues(broker as unknown as Broker, relay as unknown as OutboxRelay);
  const alarm = (blocked: boolean): void => {
    status.blocked = blocked;
    for (const told of alarms) told(blocked);
  };
  return { publish, queues, alarm };
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

describe('for how long the broker has stood', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('begins anew after an alarm, which holds up what waits in queues and hands', () => {
    const { queues, alarm } = stage(false);
    const upForMs = (): number | null => queues.situation(new Date()).brokerUpForMs;
    vi.advanceTimersByTime(600_000);
    expect(upForMs()).toBe(600_000);
    alarm(true);
    vi.advanceTimersByTime(300_000);
    expect(upForMs()).toBeNull();
    alarm(false);
    vi.advanceTimersByTime(1_000);
    expect(upForMs()).toBe(1_000);
  });
});
