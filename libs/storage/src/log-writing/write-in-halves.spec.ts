import { describe, expect, it, vi } from 'vitest';
import { writeInHalves, type RefusalSigns } from './write-in-halves.js';

class Refusal extends Error {}
class DataRefusal extends Refusal {}

const SIGNS: RefusalSigns = {
  isRefusal: (error) => error instanceof Refusal,
  isCertain: (error) => error instanceof DataRefusal,
};
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** Refuses what holds one of these; remembers the rest. */
function database(bad: (n: number) => boolean, refusal = new Refusal('no')) {
  const written: number[] = [];
  const write = vi.fn(async (some: readonly number[]) => {
    if (some.some(bad)) throw refusal;
    written.push(...some);
  });
  return { write, written };
}

describe('writeInHalves', () => {
  it('asks once if nothing is refused, and not at all for nothing', async () => {
    const { write, written } = database(() => false);
    expect(await writeInHalves(numbers(100), write, SIGNS)).toEqual([]);
    expect(await writeInHalves([], write, SIGNS)).toEqual([]);
    expect(written).toEqual(numbers(100));
    expect(write).toHaveBeenCalledTimes(1);
  });

  it('writes all but those to blame, wherever they stand', async () => {
    const bad = new Set([0, 17, 18, 99]);
    const { write, written } = database((n) => bad.has(n));
    const refused = await writeInHalves(numbers(100), write, SIGNS);
    expect(refused.map(({ record }) => record).sort((a, b) => a - b)).toEqual([...bad]);
    expect(written.sort((a, b) => a - b)).toEqual(numbers(100).filter((n) => !bad.has(n)));
  });

  it('gives up early when everything is refused, unless it is certain that the records are to blame', async () => {
    const all = database(() => true);
    await expect(writeInHalves(numbers(2_000), all.write, SIGNS)).rejects.toBeInstanceOf(Refusal);
    expect(all.write.mock.calls.length).toBeLessThanOrEqual(33 + 32);
    const certain = database(() => true, new DataRefusal('no'));
    expect(await writeInHalves(numbers(200), certain.write, SIGNS)).toHaveLength(200);
  });

  it('finds a whole run of records to blame in front of sound ones', async () => {
    const { write, written } = database((n) => n < 500);
    expect(await writeInHalves(numbers(2_000), write, SIGNS)).toHaveLength(500);
    expect(written).toHaveLength(1_500);
  });

  it.each([
    ['1 in 20', (n: number) => n % 20 === 7],
    ['9 in 10', (n: number) => n % 10 !== 3],
    ['1 in each thirty-second part', (n: number) => n % 62 === 0],
  ])('gets what is sound through while %s is refused', async (_, bad) => {
    const { write, written } = database(bad);
    const all = numbers(2_000);
    const refused = await writeInHalves(all, write, SIGNS);
    expect(refused.map(({ record }) => record).sort((a, b) => a - b)).toEqual(all.filter(bad));
    expect([...new Set(written)].sort((a, b) => a - b)).toEqual(all.filter((n) => !bad(n)));
  });

  it('finds the only sound record of a batch sooner or later', async () => {
    const { write, written } = database((n) => n !== 77);
    // One in 63 places is looked at each time.
    for (let tries = 0; tries < 5_000 && written.length === 0; tries++) {
      await writeInHalves(numbers(2_000), write, SIGNS).catch(() => undefined);
    }
    expect(new Set(written)).toEqual(new Set([77]));
  });

  it('throws at once what no record is to blame for', async () => {
    const write = vi.fn(() => Promise.reject(new Error('the database is away')));
    await expect(writeInHalves(numbers(10), write, SIGNS)).rejects.toThrow('the database is away');
    expect(write).toHaveBeenCalledTimes(1);
  });
});
