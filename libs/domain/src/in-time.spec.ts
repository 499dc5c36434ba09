import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inTime } from './in-time.js';

describe('inTime', () => {
  const unhandled = vi.fn();
  const [set, cleared] = [vi.fn(), vi.fn()];
  let fakes: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    set.mockReset();
    cleared.mockReset();
    const { setTimeout: fakeSet, clearTimeout: fakeClear } = globalThis;
    fakes = { setTimeout: fakeSet, clearTimeout: fakeClear };
    globalThis.setTimeout = ((run: () => void, ms: number) => {
      const timer = fakeSet(run, ms);
      set(timer, ms);
      return timer;
    }) as typeof setTimeout;
    globalThis.clearTimeout = (timer) => {
      cleared(timer);
      fakeClear(timer);
    };
    process.on('unhandledRejection', unhandled);
  });
  afterEach(() => {
    process.off('unhandledRejection', unhandled);
    unhandled.mockReset();
    // First, for real timers come back only in the place of these.
    Object.assign(globalThis, fakes);
    vi.useRealTimers();
  });
  /** Timers that are left of those with this time. Others of this process may come from elsewhere. */
  const left = (ms: number): unknown[] =>
    set.mock.calls
      .filter(([, after]) => after === ms)
      .map(([timer]) => timer as unknown)
      .filter((timer) => !cleared.mock.calls.some(([one]) => one === timer));
  /** Node tells of unhandled rejections once nothing but other turns are left to run. */
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('says so as soon as the work has ended, and leaves no timer behind', async () => {
    expect(await inTime(Promise.resolve('whatever it comes to'), 60_001)).toBe(true);
    expect(set).toHaveBeenCalledWith(expect.anything(), 60_001);
    expect(left(60_001)).toEqual([]);
  });

  it('says once the time is up, and not before, that the work has not ended', async () => {
    const answered = vi.fn();
    const answer = inTime(new Promise(() => undefined), 101).then(answered);
    await vi.advanceTimersByTimeAsync(100);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await answer;
    expect(answered).toHaveBeenCalledWith(false);
    expect(left(101)).toEqual([]);
  });

  it('passes an error on that comes in time, and leaves no timer behind', async () => {
    const failed = new Error('the broker is away');
    await expect(inTime(Promise.reject(failed), 60_001)).rejects.toBe(failed);
    expect(left(60_001)).toEqual([]);
  });

  it('leaves no unhandled rejection when the work fails after the time is up', async () => {
    let fail = (_: Error): void => undefined;
    const answer = inTime(new Promise((_resolve, reject) => (fail = reject)), 100);
    await vi.advanceTimersByTimeAsync(100);
    expect(await answer).toBe(false);
    fail(new Error('too late'));
    await turn();
    await turn();
    expect(unhandled).not.toHaveBeenCalled();
  });
});
