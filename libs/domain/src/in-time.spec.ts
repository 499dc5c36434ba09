import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inTime } from './in-time.js';

describe('inTime', () => {
  const unhandled = vi.fn();
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    process.on('unhandledRejection', unhandled);
  });
  afterEach(() => {
    process.off('unhandledRejection', unhandled);
    unhandled.mockReset();
    vi.useRealTimers();
  });
  /** Node tells of unhandled rejections once nothing but other turns are left to run. */
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('says so as soon as the work has ended, and leaves no timer behind', async () => {
    expect(await inTime(Promise.resolve('whatever it comes to'), 60_000)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('says once the time is up, and not before, that the work has not ended', async () => {
    const answered = vi.fn();
    const answer = inTime(new Promise(() => undefined), 100).then(answered);
    await vi.advanceTimersByTimeAsync(99);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await answer;
    expect(answered).toHaveBeenCalledWith(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('passes an error on that comes in time, and leaves no timer behind', async () => {
    const failed = new Error('the broker is away');
    await expect(inTime(Promise.reject(failed), 60_000)).rejects.toBe(failed);
    expect(vi.getTimerCount()).toBe(0);
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
