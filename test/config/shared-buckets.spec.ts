import { setTimeout as delay } from 'node:timers/promises';
import { takeTokens, type DataSource, type TakenTokens } from '@form-webhooks/storage';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migratedDatabase, openDatabase, type OwnDatabase } from '../support/config/config-database.js';

/** A token each ten ms. */
const LIMIT = { capacity: 100, periodSeconds: 1 };

let database: OwnDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await migratedDatabase();
  dataSource = await openDatabase(database.url);
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

const take = (bucket: string, wanted: number): Promise<TakenTokens> =>
  dataSource.transaction((tx) => takeTokens(tx, bucket, LIMIT, { wanted, returned: 0 }));

const setBack = (bucket: string, by: string) =>
  dataSource.query(`UPDATE rate_limits SET refilled_at = refilled_at + $2::interval WHERE bucket = $1`, [bucket, by]);

it('a bucket fills again at once when the clock of the database was set back', async () => {
  expect(await take('an_hour', 100)).toMatchObject({ taken: 100 });
  await setBack('an_hour', '1 hour');
  await take('an_hour', 1);
  await delay(100);
  expect(await take('an_hour', 1)).toMatchObject({ taken: 1 });
});

it('a transaction that began before another one and comes after it gives no token twice', async () => {
  expect(await take('a_moment', 100)).toMatchObject({ taken: 100 });
  await setBack('a_moment', '20 seconds');
  await take('a_moment', 1);
  await delay(100);
  expect(await take('a_moment', 1)).toMatchObject({ taken: 0 });
});
