import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
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

const LIMITS = { lockTimeoutMs: 200, pauseMs: 400, tryForMs: 60_000 };
const WAIT = { timeout: 40_000, interval: 20 };
/** More than a writer gets through between two tries of a migration. */
const MANY_WRITES = 40;
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

/** Writes the log until it is told to end. */
function steadyWriter() {
  let [writes, on] = [0, true];
  const work = (async () => {
    while (on) {
      await dataSource.query('UPDATE deliveries SET state = state WHERE false');
      writes += 1;
      await delay(20);
    }
  })();
  return {
    /** Resolves once it has written many times from now on: it waits for no lock, or not for long. */
    goesOn: async (): Promise<void> => {
      const before = writes;
      await vi.waitFor(() => expect(writes).toBeGreaterThan(before + MANY_WRITES), WAIT);
    },
    end: async (): Promise<void> => {
      on = false;
      await work;
    },
  };
}

/** Resolves once a statement that changes the schema waits for its lock. */
const waitsForItsLock = (): Promise<void> =>
  vi.waitFor(async () => {
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
      AND wait_event_type = 'Lock' AND query ~ '^\\s*(ALTER|CREATE|DROP)'`;
    expect(await dataSource.query(waiting)).not.toEqual([]);
  }, WAIT);

describe('a migration that changes the log', () => {
  beforeEach(async () => {
    await dataSource.query('DELETE FROM migrations WHERE name = $1', [PENDING]);
    await dataSource.query('ALTER TABLE deliveries DROP COLUMN waits_for');
  });

  it('does not stop its writers while a reader keeps the lock, and is made once that has gone', async () => {
    const endReader = await longReader();
    const writer = steadyWriter();
    const migrated = migrate(dataSource, LIMITS);
    await waitsForItsLock();
    await writer.goesOn();
    await endReader();
    expect(await migrated).toEqual([PENDING]);
    await writer.end();
    const event = anEvent();
    expect(await logWriter(dataSource).write([event, aStep(event)])).toEqual([]);
  });

  it('gives up waiting at once when its process is to end, with the schema as it was', async () => {
    const endReader = await longReader();
    const stop = new AbortController();
    const migrated = migrate(dataSource, { ...LIMITS, tryForMs: 7_200_000, pauseMs: 3_600_000 }, stop.signal);
    // By then it has tried once, and would try again in an hour.
    await delay(3_000);
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
    const [{ pid }] = (await interrupted.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
    const begun = expect(indexPartitionsConcurrently(interrupted, INDEX)).rejects.toThrow('canceling statement');
    const invalid = async () => (await parts()).filter(({ valid }) => !valid);
    // The parent's and the first partition's, which waits for the reader.
    await vi.waitFor(async () => expect((await invalid()).length).toBeGreaterThan(1), WAIT);
    await dataSource.query('SELECT pg_cancel_backend($1)', [pid]);
    await begun;
    await interrupted.release();
    expect((await invalid()).length).toBeGreaterThan(1);

    const writer = steadyWriter();
    const made = make();
    await waitsForItsLock();
    await writer.goesOn();
    await endReader();
    await made;
    await writer.end();
    await partitions.make([new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)]);
    await make();
    const all = await parts();
    expect(all.every(({ valid }) => valid)).toBe(true);
    expect(all.length).toBeGreaterThanOrEqual(1 + days.length);
  });
});
