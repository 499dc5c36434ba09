import { describe, expect, it } from 'vitest';
import { Backoff } from './backoff.js';

const uncut = new AbortController().signal;

/** How long some pauses in a row take, ms. A timer may fire within a millisecond of its time. */
async function durations(backoff: Backoff, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now();
    await backoff.pause();
    taken.push(performance.now() - startedAt + 1);
  }
  return taken;
}

describe('Backoff', () => {
  it('pauses twice as long each time', async () => {
    const taken = await durations(new Backoff({ firstPauseMs: 5, longestPauseMs: 1_000 }, uncut), 4);
    for (const [i, ms] of taken.entries()) expect(ms).toBeGreaterThanOrEqual(5 * 2 ** i);
  });

  it('never pauses longer than its bound', async () => {
    // Without it these would be 65 seconds.
    const taken = await durations(new Backoff({ firstPauseMs: 1, longestPauseMs: 2 }, uncut), 16);
    expect(taken.reduce((sum, ms) => sum + ms)).toBeLessThan(5_000);
  });

  it('begins anew after a reset', async () => {
    const backoff = new Backoff({ firstPauseMs: 1, longestPauseMs: 60_000 }, uncut);
    const startedAt = performance.now();
    // Without it these would be 65 seconds.
    for (let i = 0; i < 16; i++) {
      await backoff.pause();
      backoff.reset();
    }
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('gives who asks while a pause lasts the same pause, and then a new one', async () => {
    const backoff = new Backoff({ firstPauseMs: 1, longestPauseMs: 1 }, uncut);
    const first = backoff.pause();
    expect(backoff.pause()).toBe(first);
    await first;
    expect(backoff.pause()).not.toBe(first);
  });

  it('ends early when it is cut, also a pause that begins after that', async () => {
    const cut = new AbortController();
    const backoff = new Backoff({ firstPauseMs: 60_000, longestPauseMs: 60_000 }, cut.signal);
    const pausing = backoff.pause();
    cut.abort();
    await pausing;
    await backoff.pause();
  });
});
