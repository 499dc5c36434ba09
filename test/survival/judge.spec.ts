import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@form-webhooks/local';
import type { DataSource } from '@form-webhooks/storage';
import { DeliveryLogReader, FaultRun, Judge, type Fault } from '@form-webhooks/survive';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migratedDatabase, openDatabase, type OwnDatabase } from '../support/config/config-database.js';

/* The judge of `npm run survive`, on the log of a run in which the reconciler published something again. */

const folder = temporaryFolder('form-webhooks-judge-');
const record = join(folder.path, 'posts');
let database: OwnDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  writeFileSync(record, '');
  database = await migratedDatabase();
  dataSource = await openDatabase(database.url);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
  folder.remove();
});

const judged = (mayHaveLostMessages: boolean) =>
  new Judge(new Map(), [], mayHaveLostMessages).judge(record, new DeliveryLogReader(database.url));

it('passes a run in which nothing was published again', async () => {
  expect(await judged(false)).toMatchObject({ republished: 0, faults: [] });
});

it('fails one in which something was, unless the broker may have lost it', async () => {
  await dataSource.query(
    `INSERT INTO reconciliations (id, phase, began_at, phase_at, republished, finished_at)
     VALUES ('rec_1', 'done', now(), now(), 2, now()), ('rec_2', 'done', now(), now(), 1, now())`,
  );
  expect(await judged(false)).toMatchObject({ republished: 3, faults: [expect.stringMatching(/^3 deliveries/)] });
  expect(await judged(true)).toMatchObject({ republished: 3, faults: [] });
});

it('forgives the log what was sent before its database was restored from a backup, and nothing since', async () => {
  const endpoint = { id: 'we_1', path: '/a', behaviour: 'steady' as const };
  const unseen = { endpoint, answered: 0, answered2xx: 0, firstAt: Infinity, lastAt: 0, logged: false };
  const deliveries = () => new Map([1_000, 3_000].map((marker) => [`dlv_${marker}`, { ...unseen, marker }]));
  const posts = join(folder.path, 'posts-of-a-restore');
  writeFileSync(posts, [1_000, 3_000].map((at) => `${at} /a dlv_${at} ${at} 200 1\n`).join(''));
  const log = new DeliveryLogReader(database.url);
  const faultsOf = async (restoredAt?: number) =>
    (await new Judge(deliveries(), [], true, restoredAt).judge(posts, log)).faults;
  expect(await faultsOf()).toEqual([expect.stringContaining('2 × delivery that is not in the log')]);
  expect(await faultsOf(2_000)).toEqual([expect.stringMatching(/^1 × delivery that is not in the log: dlv_3000/)]);
});

it.each([
  ['that takes nothing from the broker', {}, false],
  ['that makes the broker forget', { losesMessages: true }, true],
] as const)('knows after a fault %s whether messages may be lost', async (_, might, lost) => {
  const stage = { untilReady: () => Promise.resolve() };
  const scene = { stage, takeHealing: () => 0, takeNotes: () => [], goesOn: () => Promise.resolve() };
  const run = new FaultRun(scene as unknown as ConstructorParameters<typeof FaultRun>[0], () => undefined);
  const fault: Fault = { kind: 'a fault', ...might, strike: () => Promise.resolve() };
  await run.strikeAll([fault]);
  expect(run.mayHaveLostMessages).toBe(lost);
});
