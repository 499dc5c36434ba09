import type { EventRecord } from '@form-webhooks/messages';
import { QueryFailedError, type DataSource } from 'typeorm';
import { expect, it, vi } from 'vitest';
import { DAY_MS, dayOf, type LogDay } from '../database/log-days.js';
import type { EndpointSwitchOff } from '../endpoints/endpoint-switch-off.js';
import type { LogPartitions } from '../retention/log-partitions.js';
import { DEFAULT_LOG_WRITER_OPTIONS, DeliveryLogWriter } from './delivery-log-writer.js';
import { anEvent } from '../testing/an-event.js';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const dayMissing = (): QueryFailedError =>
  new QueryFailedError('INSERT', [], Object.assign(new Error('no partition'), { code: '23514' }));

/** A writer whose transactions commit while the days of all that is written stand; `drop` takes days away. */
function stage(written: readonly EventRecord[]) {
  const standing = new Set<LogDay>();
  const partitions = {
    now: async () => NOW,
    standing: async () => new Set(standing),
    make: vi.fn(async (days: readonly LogDay[]) => days.forEach((day) => standing.add(day))),
  };
  let open = written;
  const transaction = vi.fn(async () => {
    if (open.some(({ acceptedAt }) => !standing.has(dayOf(acceptedAt)))) throw dayMissing();
    return { reusedKeys: 0 };
  });
  const dataSource = { transaction, manager: { query: async () => [] } } as unknown as DataSource;
  const writer = new DeliveryLogWriter(
    dataSource,
    partitions as unknown as LogPartitions,
    {} as EndpointSwitchOff,
    { ...DEFAULT_LOG_WRITER_OPTIONS, gatherMs: 0 },
    () => NOW - 2 * DAY_MS,
  );
  const drop = (left: readonly EventRecord[]): void => {
    standing.clear();
    open = left;
  };
  return { writer, transaction, standing, drop };
}

it('writes a record whose day was dropped behind its back, and parks none for it', async () => {
  const records = [anEvent(NOW), anEvent(NOW - DAY_MS)];
  const { writer, transaction, standing, drop } = stage(records);
  expect(await writer.write(records)).toEqual([]);
  drop(records);
  expect(await writer.write(records)).toEqual([]);
  expect(transaction).toHaveBeenCalledTimes(3);
  expect([...standing].sort()).toEqual([dayOf(NOW - DAY_MS), dayOf(NOW)]);
});

it('parks alone what the database has no room for any more, and writes what came with it', async () => {
  const [late, sound] = [anEvent(NOW - 31 * DAY_MS), anEvent(NOW)];
  const { writer, standing, drop } = stage([late, sound]);
  expect(await writer.write([late, sound])).toEqual([]);
  drop([sound]);
  const unwritable = await writer.write([late, sound]);
  expect(unwritable).toMatchObject([{ record: late, reason: expect.stringContaining('the log holds') as string }]);
  expect([...standing]).toEqual([dayOf(NOW)]);
});
