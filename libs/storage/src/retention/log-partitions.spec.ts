import type { DataSource } from 'typeorm';
import { expect, it } from 'vitest';
import { addDays, dayOf, type LogDay } from '../database/log-days.js';
import { LogPartitions } from './log-partitions.js';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const FIRST = dayOf(NOW);

/** A log of these days, the last of which holds what is under way; remembers what was dropped and deleted. */
function logOf(...days: readonly LogDay[]) {
  const dropped: string[] = [];
  const deletedBefore = new Map<string, LogDay>();
  const query = async (sql: string, [value]: readonly string[] = []): Promise<unknown> => {
    if (sql.includes('FROM pg_class')) return days.map((day) => ({ name: `deliveries_${day}`, day, attached: true }));
    if (sql.includes('clock_timestamp()')) return [{ now: new Date(NOW) }];
    if (sql.includes('pg_try_advisory_lock')) return [{ held: true }];
    if (sql.includes('AS held')) return [{ held: value === days.at(-1) }];
    if (sql.includes('drop_log_table')) dropped.push(value!);
    const [, table] = /DELETE FROM (\w+)/.exec(sql) ?? [];
    if (table) deletedBefore.set(table, value!);
    return [[], 0];
  };
  const runner = { query, connect: async () => undefined, release: async () => undefined };
  const dataSource = { query, manager: { query }, createQueryRunner: () => runner } as unknown as DataSource;
  return { partitions: new LogPartitions(dataSource, () => NOW), dropped, deletedBefore };
}

it('keeps the counts of a day that is held: there would be less than none once a delivery on it ends', async () => {
  const [gone, held] = [addDays(FIRST, -2), addDays(FIRST, -1)];
  const { partitions, dropped, deletedBefore } = logOf(gone, held);
  const round = (holdDays: number) =>
    partitions.dropBefore(FIRST, undefined, 7, { days: holdDays, told: () => undefined });
  expect(await round(7)).toEqual([gone]);
  expect(dropped).toEqual([`deliveries_${gone}`]);
  expect(deletedBefore.get('delivery_counts')).toBe(held);
  await round(0);
  expect(deletedBefore.get('delivery_counts')).toBe(FIRST);
});
