import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  indexPartitionsConcurrently,
  LogPartitions,
  migrate,
  upcomingDays,
  type DataSource,
} from '@form-webhooks/storage';
import { setTimeout as delay } from 'node:timers/promises';
import { anEvent, aStep, logDatabase, logWriter } from '../support/config/delivery-log.js';

/* A migration on a log that is read and written. */

const LIMITS = { lockTimeoutMs: 200, pauseMs: 400, tryForMs: 20_000 };
const HELD_MS = 3_000;
/** What a writer may have to wait: several times what a statement may wait for its lock, and less than it is held. */
const WRITER_WAITS_MS = 2_000;
const PENDING = 'AddWaitsForToDeliveries1764212000000';

let dataSource: DataSource;
let drop: () => Promise<void>;
beforeAll(async () => ({ dataSource, drop } = await logDatabase(8)));
afterAll(() => drop());

/** A reader that keeps its lock on the log until it is told to end. */
async function longReader(): Promise<() => Promise<void>> {
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction('REPEATABLE READ');
  await runner.query('SELECT count(*) FROM deliveries');
  return async () => {
    await runner.rollbackTransaction();
    await runner.release();
  };
}

/** Writes the log until it is told to end. @returns the longest wait of a write, and how many there were */
function steadyWriter(): () => Promise<{ longestMs: number; writes: number }> {
  let [longestMs, writes, on] = [0, 0, true];
  const work = (async () => {
    while (on) {
      const began = performance.now();
      await dataSource.query('UPDATE deliveries SET state = state WHERE false');
      longestMs = Math.max(longestMs, performance.now() - began);
      writes += 1;
      await delay(20);
    }
  })();
  return async () => {
    on = false;
    await work;
    return { longestMs, writes };
  };
}

describe('a migration that changes the log', () => {
  beforeEach(async () => {
    await dataSource.query('DELETE FROM migrations WHERE name = $1', [PENDING]);
    await dataSource.query('ALTER TABLE deliveries DROP COLUMN waits_for');
  });

  it('does not stop its writers while a reader keeps the lock, and is made once that has gone', async () => {
    const endReader = await longReader();
    const endWriter = steadyWriter();
    const migrated = migrate(dataSource, LIMITS);
    await delay(HELD_MS);
    await endReader();
    expect(await migrated).toEqual([PENDING]);
    const { longestMs, writes } = await endWriter();
    expect(longestMs).toBeLessThan(WRITER_WAITS_MS);
    expect(writes).toBeGreaterThan(5);
    const event = anEvent();
    expect(await logWriter(dataSource).write([event, aStep(event)])).toEqual([]);
  });

  it('gives up waiting at once when its process is to end, with the schema as it was', async () => {
    const endReader = await longReader();
    const stop = new AbortController();
    const migrated = migrate(dataSource, { ...LIMITS, tryForMs: 7_200_000, pauseMs: 3_600_000 }, stop.signal);
    await delay(HELD_MS);
    stop.abort(new Error('to end'));
    await expect(migrated).rejects.toThrow('to end');
    await endReader();
    expect(await migrate(dataSource, LIMITS)).toEqual([PENDING]);
  });

  it('fails with the schema as it was if the lock does not come free in time', async () => {
    const endReader = await longReader();
    await expect(migrate(dataSource, { ...LIMITS, tryForMs: 1_000 })).rejects.toThrow('lock timeout');
    await endReader();
    expect(await dataSource.query('SELECT name FROM migrations WHERE name = $1', [PENDING])).toEqual([]);
    expect(await migrate(dataSource, LIMITS)).toEqual([PENDING]);
  });
});

describe('an index of the log', () => {
  const INDEX = { name: 'deliveries_spec_idx', table: 'deliveries', on: '(event_id)' };

  const make = async (): Promise<void> => {
    const runner = dataSource.createQueryRunner();
    try {
      await indexPartitionsConcurrently(runner, INDEX);
    } finally {
      await runner.release();
    }
  };
  const parts = async (): Promise<{ name: string; valid: boolean }[]> =>
    dataSource.query(`SELECT c.relname AS name, x.indisvalid AS valid FROM pg_index x
      JOIN pg_class c ON c.oid = x.indexrelid WHERE c.relname LIKE 'deliveries_spec_idx%' ORDER BY 1`);

  it('is made of all its partitions beside who reads and writes, also after an interruption', async () => {
    const partitions = new LogPartitions(dataSource);
    const days = upcomingDays(Date.now());
    await partitions.make(days);
    const endReader = await longReader();
    const interrupted = dataSource.createQueryRunner();
    await interrupted.query('SET statement_timeout = 300');
    await expect(indexPartitionsConcurrently(interrupted, INDEX)).rejects.toThrow('statement timeout');
    await interrupted.query('RESET ALL');
    await interrupted.release();
    expect((await parts()).filter(({ valid }) => !valid).length).toBeGreaterThan(1);

    const endWriter = steadyWriter();
    const made = make();
    await delay(1_000);
    await endReader();
    await made;
    expect((await endWriter()).longestMs).toBeLessThan(WRITER_WAITS_MS);
    await partitions.make([new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)]);
    await make();
    const all = await parts();
    expect(all.every(({ valid }) => valid)).toBe(true);
    expect(all.length).toBeGreaterThanOrEqual(1 + days.length);
  });
});
