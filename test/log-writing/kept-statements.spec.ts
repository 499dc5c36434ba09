import type { DataSource } from '@form-webhooks/storage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aStep, anEvent, logDatabase, logWriter } from '../support/config/delivery-log.js';

/** After this many runs PostgreSQL may keep a statement's plan too, and has. */
const BATCHES = 8;

let dataSource: DataSource;
let drop: () => Promise<void>;
beforeEach(async () => ({ dataSource, drop } = await logDatabase()));
afterEach(() => drop());

it('a connection reads the text of an insert once, however many batches it writes', async () => {
  await writeBatches();
  const kept = await keptByConnection();
  for (const table of ['attempts', 'deliveries', 'delivery_counts', 'attempt_latencies']) {
    expect(kept.filter(({ statement }) => statement.includes(`INSERT INTO ${table} `))).toMatchObject([
      { runs: BATCHES },
    ]);
  }
});

it('what is kept chooses no rows of the log by their days, which only a plan for its values does well', async () => {
  await writeBatches();
  const kept = await keptByConnection();
  expect(kept).not.toEqual([]);
  expect(kept.filter(({ statement }) => /(FROM|JOIN|UPDATE) (events|deliveries|attempts)\b/.test(statement))).toEqual(
    [],
  );
});

it('goes on writing where a release to come has changed the tables under it', async () => {
  await writeBatches();
  for (const table of ['attempts', 'deliveries', 'delivery_counts', 'attempt_latencies']) {
    await dataSource.query(`ALTER TABLE ${table} ADD COLUMN added integer DEFAULT 1`);
  }
  await writeBatches();
  const [counted] = (await dataSource.query('SELECT count(*)::integer AS attempts FROM attempts')) as unknown[];
  expect(counted).toEqual({ attempts: 2 * BATCHES });
});

it('a connection whose first insert was refused keeps nothing of it', async () => {
  await dataSource.query('ALTER TABLE attempts RENAME TO attempts_away');
  await expect(writeBatches()).rejects.toThrow();
  await dataSource.query('ALTER TABLE attempts_away RENAME TO attempts');
  await writeBatches();
  const [counted] = (await dataSource.query('SELECT count(*)::integer AS attempts FROM attempts')) as unknown[];
  expect(counted).toEqual({ attempts: BATCHES });
});

/** One after the other, so that all take the connection that was free last. */
async function writeBatches(): Promise<void> {
  const writer = logWriter(dataSource);
  for (let batch = 0; batch < BATCHES; batch++) {
    const event = anEvent();
    await writer.write([event, aStep(event)]);
  }
}

const keptByConnection = (): Promise<{ statement: string; runs: number }[]> =>
  dataSource.query('SELECT statement, (generic_plans + custom_plans)::integer AS runs FROM pg_prepared_statements');
