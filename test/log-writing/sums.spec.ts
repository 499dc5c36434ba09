import {
  readCounts,
  readFailures,
  readLatencies,
  readStandings,
  sumMatching,
  type DataSource,
} from '@form-webhooks/storage';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FORM, logDatabase } from '../support/config/delivery-log.js';

/* The hourly counts fit four bytes each; over a long retention their sums don't. */

const HOUR_MS = 3_600_000;
const FROM = Date.parse('2026-11-29T10:00:00Z');
const RANGE = { from: FROM, to: FROM + 2 * HOUR_MS, starts: [FROM] };
const AN_HOUR = 2_000_000_000;
const BOTH = 2 * AN_HOUR;

let dataSource: DataSource;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ dataSource, drop } = await logDatabase());
  for (const at of [FROM, FROM + HOUR_MS]) {
    const key = [FORM, 'we_1', new Date(at), AN_HOUR];
    await dataSource.query(
      `INSERT INTO delivery_counts (form_id, endpoint_id, hour, pending, retrying, cancelled, failed, delivered)
       VALUES ($1, $2, $3, $4, 0, 0, 0, 0)`,
      key,
    );
    await dataSource.query(
      'INSERT INTO attempt_latencies (form_id, endpoint_id, hour, bin, attempts) VALUES ($1, $2, $3, 1, $4)',
      key,
    );
    await dataSource.query(
      `INSERT INTO attempt_failures (form_id, endpoint_id, hour, cause, attempts) VALUES ($1, $2, $3, '5xx', $4)`,
      key,
    );
  }
});
afterAll(() => drop());

it('sums of hourly counts may be larger than any of them can', async () => {
  const tx = dataSource.manager;
  expect(await readCounts(tx, FORM, RANGE)).toMatchObject([{ at: FROM, counts: { pending: BOTH, delivered: 0 } }]);
  expect(await readLatencies(tx, FORM, RANGE)).toMatchObject([{ bin: 1, attempts: BOTH }]);
  expect(await readFailures(tx, FORM, RANGE)).toMatchObject([{ cause: '5xx', attempts: BOTH }]);
  expect(await readStandings(tx, FORM, ['we_1'])).toMatchObject([{ waiting: BOTH }]);
  expect(await sumMatching(tx, FORM, {})).toBe(BOTH);
});

it('a sum from the middle of an hour on has that hour whole, whatever time zone the session has', async () => {
  const sum = await dataSource.transaction(async (tx) => {
    await tx.query(`SET LOCAL TimeZone = 'Asia/Kolkata'`);
    return sumMatching(tx, FORM, { from: FROM + 0.75 * HOUR_MS });
  });
  expect(sum).toBe(BOTH);
});
