import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WritesInHand } from './writes-in-hand.js';

const BOUND_MS = 1_000;

/** A write that ends when the test says so, or with the reason for which it is given up. */
function begin(inHand: WritesInHand) {
  let end = (): void => undefined;
  const done = inHand.during(
    (givenUp) =>
      new Promise<string>((resolve, reject) => {
        end = () => resolve('written');
        givenUp.addEventListener('abort', () => reject(givenUp.reason as Error));
      }),
  );
  return { end: () => end(), done };
}

describe('WritesInHand', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('tells once none of them has ended for the bound', async () => {
    const onOverdue = vi.fn();
    const inHand = new WritesInHand(BOUND_MS, onOverdue);
    begin(inHand);
    await vi.advanceTimersByTimeAsync(BOUND_MS / 2);
    begin(inHand);
    await vi.advanceTimersByTimeAsync(BOUND_MS / 2 - 1);
    expect(onOverdue).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onOverdue).toHaveBeenCalledTimes(1);
  });

  it('begins the bound anew with each that ends, and forgets it with the last one', async () => {
    const onOverdue = vi.fn();
    const inHand = new WritesInHand(BOUND_MS, onOverdue);
    const writes = [begin(inHand), begin(inHand)];
    for (const write of writes) {
      await vi.advanceTimersByTimeAsync(BOUND_MS - 1);
      write.end();
      expect(await write.done).toBe('written');
    }
    expect(vi.getTimerCount()).toBe(0);
    expect(onOverdue).not.toHaveBeenCalled();
  });

  it('gives all of them up with the error', async () => {
    const inHand = new WritesInHand(BOUND_MS, () => undefined);
    const held = Promise.allSettled([begin(inHand).done, begin(inHand).done]);
    const error = new Error('held for too long');
    inHand.giveUp(error);
    expect(vi.getTimerCount()).toBe(0);
    expect(await held).toEqual(Array(2).fill({ status: 'rejected', reason: error }));
  });

  it('begins no bound anew when what was given up ends at last', async () => {
    const onOverdue = vi.fn();
    const inHand = new WritesInHand(BOUND_MS, onOverdue);
    let end = (): void => undefined;
    const deaf = inHand.during(() => new Promise<void>((resolve) => (end = resolve)));
    inHand.giveUp(new Error('held for too long'));
    begin(inHand);
    await vi.advanceTimersByTimeAsync(BOUND_MS - 1);
    end();
    await deaf;
    await vi.advanceTimersByTimeAsync(1);
    expect(onOverdue).toHaveBeenCalledTimes(1);
  });
});
