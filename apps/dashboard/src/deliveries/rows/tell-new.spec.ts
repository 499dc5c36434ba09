import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newRowsTeller } from './tell-new.js';

describe('who listens to the log', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const teller = () => {
    const said: number[] = [];
    return { said, ...newRowsTeller((count) => said.push(count), 10_000) };
  };

  it('hears of the first row at once, and of those after it together', () => {
    const { said, see } = teller();
    // Two that are let in, one of four that wait, and the other three.
    for (const waiting of [2, 0, 1, 4]) see(waiting);
    expect(said).toEqual([2]);
    vi.advanceTimersByTime(10_000);
    expect(said).toEqual([2, 4]);
  });

  it('hears of no row twice, and of the next at once after a silence', () => {
    const { said, see } = teller();
    see(3);
    see(3);
    vi.advanceTimersByTime(60_000);
    see(0);
    expect(said).toEqual([3]);
    see(1);
    expect(said).toEqual([3, 1]);
  });

  it('hears nothing more once the log is left', () => {
    const { said, see, stop } = teller();
    see(1);
    see(2);
    stop();
    vi.advanceTimersByTime(60_000);
    expect(said).toEqual([1]);
  });
});
