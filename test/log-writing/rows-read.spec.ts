import type { DataSource } from '@form-webhooks/storage';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { aStep, anEvent, logDatabase, logWriter } from '../support/config/delivery-log.js';

/* In a day's first minutes nobody has counted its rows, and the planner takes a large table for a small one. */

const STANDING = 2_000;
const CHANGED = 20;

let dataSource: DataSource;
let drop: () => Promise<void>;
beforeAll(async () => ({ dataSource, drop } = await logDatabase()));
afterAll(() => drop());

it('a batch reads the rows that it names, however many stand beside them, and of a day not yet counted', async () => {
  const events = Array.from({ length: STANDING }, (_, n) => anEvent({ key: `key-${n}` }));
  const writer = logWriter(dataSource);
  await writer.write(events);
  const read = countReads();
  const again = events.slice(0, CHANGED);
  await writer.write([...again.map((event) => aStep(event)), ...fresh(CHANGED)]);
  // A few times for each: what stands is found, locked and changed.
  expect(read()).toBeLessThan(10 * CHANGED);
});

const fresh = (count: number) => Array.from({ length: count }, (_, n) => anEvent({ key: `fresh-${n}` }));

/** Counts the rows of the log that the writer's transactions read from now on. */
function countReads(): () => number {
  const counts: number[] = [];
  const transaction = dataSource.transaction.bind(dataSource) as (run: Run) => Promise<unknown>;
  vi.spyOn(dataSource, 'transaction').mockImplementation((run: unknown) =>
    transaction(async (tx) => {
      // What the connection's transactions before have read is among it until the server has noted it.
      const before = await readIn(tx);
      const result = await (run as Run)(tx);
      counts.push((await readIn(tx)) - before);
      return result;
    }),
  );
  return () => counts.reduce((sum, count) => sum + count, 0);
}

type Run = (tx: DataSource['manager']) => Promise<unknown>;

async function readIn(tx: DataSource['manager']): Promise<number> {
  const [{ read }] = (await tx.query(READ)) as [{ read: number | null }];
  return read ?? 0;
}

const READ = `
  SELECT sum(seq_tup_read + idx_tup_fetch)::integer AS read FROM pg_stat_xact_user_tables
  WHERE relname ~ '^(events|deliveries|attempts)_'`;
