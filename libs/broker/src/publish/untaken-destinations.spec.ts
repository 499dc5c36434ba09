import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QUEUES, TO_DELIVERIES, toQueue } from '../topology.js';
import { UntakenDestinations } from './untaken-destinations.js';

describe('where messages are not taken', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('counts at once where one was taken before, until one is taken again', () => {
    const untaken = new UntakenDestinations(false);
    untaken.wasTaken(TO_DELIVERIES);
    expect(untaken.wasNotTaken(TO_DELIVERIES)).toBe(true);
    expect(untaken.any).toBe(true);
    untaken.wasTaken(TO_DELIVERIES);
    expect(untaken.any).toBe(false);
  });

  it('ends by time, since whoever got its message back may not send it again', () => {
    const untaken = new UntakenDestinations(false);
    untaken.wasTaken(TO_DELIVERIES);
    untaken.wasNotTaken(TO_DELIVERIES);
    vi.advanceTimersByTime(36_000);
    expect(untaken.any).toBe(false);
  });

  it('counts from the third on where none was taken yet, as after a restart beside a queue that is gone', () => {
    const untaken = new UntakenDestinations(false);
    expect([1, 2, 3, 4].map(() => untaken.wasNotTaken(TO_DELIVERIES))).toEqual([false, false, true, true]);
  });

  it('never counts what may be gone: a retry queue, and in a cluster the queue that lives on one node', () => {
    const gone = (isCluster: boolean, queue: string): boolean => {
      const untaken = new UntakenDestinations(isCluster);
      for (let n = 0; n < 5; n++) untaken.wasNotTaken(toQueue(queue));
      return untaken.any;
    };
    expect(gone(false, 'retry.end_1')).toBe(false);
    expect(gone(true, QUEUES.due)).toBe(false);
    expect(gone(false, QUEUES.due)).toBe(true);
  });
});
