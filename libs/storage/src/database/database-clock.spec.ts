import { expect, it } from 'vitest';
import type { Transaction } from './data-source.js';
import { retainedNow } from './database-clock.js';

it.each(['2026-10-29', '2026-11-29', '2027-01-31'])(
  'the days that the log holds are those of the database’s moment: %s',
  async (today) => {
    const now = new Date(Date.parse(today) + 86_399_000);
    const tx = { query: () => Promise.resolve([{ now }]) } as unknown as Transaction;
    const { first, last } = await retainedNow(tx, 1);
    const day = (offset: number): string => new Date(now.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
    expect([first, last]).toEqual([day(-1), day(3)]);
  },
);
