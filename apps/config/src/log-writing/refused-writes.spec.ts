import { LogRefused, LogUnavailable } from '@form-webhooks/storage';
import { describe, expect, it, vi } from 'vitest';
import { RefusedWrites } from './refused-writes.js';

const refusal = new LogRefused({ driverError: {} });

function setup() {
  const pauses: number[] = [];
  const stopping = new AbortController();
  const onRefused = vi.fn();
  const writes = new RefusedWrites(async (ms) => void pauses.push(ms), onRefused);
  return { pauses, stopping, onRefused, writes };
}

describe('RefusedWrites', () => {
  it('tries again what is refused, ever more seldom, until it is written or at fault', async () => {
    const { pauses, stopping, onRefused, writes } = setup();
    let left = 6;
    const write = async (): Promise<string> => {
      if (left-- > 0) throw refusal;
      expect(writes.waiting).toBe(1);
      return 'written';
    };
    expect(await writes.retry(write, stopping.signal)).toBe('written');
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(onRefused).toHaveBeenCalledTimes(1);
    expect(writes.waiting).toBe(0);
  });

  it('throws any other failure, also of a later try', async () => {
    const { stopping, writes } = setup();
    const errors = [refusal, new LogUnavailable(new Error('away'))];
    const write = (): Promise<never> => Promise.reject(errors.shift()!);
    await expect(writes.retry(write, stopping.signal)).rejects.toBeInstanceOf(LogUnavailable);
    expect(writes.waiting).toBe(0);
  });

  it('gives back what is refused when the service stops', async () => {
    const { stopping, writes } = setup();
    stopping.abort();
    await expect(writes.retry(() => Promise.reject(refusal), stopping.signal)).rejects.toBe(refusal);
  });
});
