import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TO_DELIVERIES, toQueue } from '../destinations.js';
import { QUEUES } from '../queue-names.js';
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

  describe('because the broker refuses them', () => {
    const refusedFor = (untaken: UntakenDestinations, ms: number, by = TO_DELIVERIES): boolean[] =>
      Array.from({ length: ms / 500 + 1 }, (_, n) => {
        if (n > 0) vi.advanceTimersByTime(500);
        return untaken.wasRefused(by);
      });

    it('doubts the channel once they are refused for longer than an election takes, and not again at once', () => {
      const untaken = new UntakenDestinations(true);
      expect(refusedFor(untaken, 2_500)).not.toContain(true);
      expect(untaken.any).toBe(false);
      vi.advanceTimersByTime(500);
      expect(untaken.wasRefused(TO_DELIVERIES)).toBe(true);
      expect(untaken.any).toBe(true);
      expect(refusedFor(untaken, 29_500)).not.toContain(true);
      vi.advanceTimersByTime(500);
      expect(untaken.wasRefused(TO_DELIVERIES)).toBe(true);
    });

    it('counts anew once one was taken', () => {
      const untaken = new UntakenDestinations(true);
      refusedFor(untaken, 2_500);
      untaken.wasTaken(TO_DELIVERIES);
      expect(refusedFor(untaken, 2_500)).not.toContain(true);
    });

    it('does not count two that lie minutes apart', () => {
      const untaken = new UntakenDestinations(true);
      untaken.wasRefused(TO_DELIVERIES);
      vi.advanceTimersByTime(600_000);
      expect(untaken.wasRefused(TO_DELIVERIES)).toBe(false);
    });

    it('never counts what may be on a node that is away', () => {
      expect(refusedFor(new UntakenDestinations(true), 10_000, toQueue(QUEUES.due))).not.toContain(true);
    });
  });
});
