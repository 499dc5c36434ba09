import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Receiver } from '../support/receiver.js';
import { Stack } from '../support/stack.js';

const WAIT = { timeout: 60_000, interval: 25 };
vi.setConfig({ testTimeout: 180_000 });
const FORM = 'f_crash';
const DELIVERIES = 40;

let stack: Stack;
let receiver: Receiver;
let database: pg.Client;

beforeAll(async () => {
  receiver = await Receiver.start();
  // Eight seconds for all: time enough to see it begin and kill its service.
  stack = await Stack.start({ env: { REPLAY_RATE: '5' } });
  database = new pg.Client(stack.service('config').env['DATABASE_URL']);
  await database.connect();
  await stack.registerForm(FORM);
  await stack.createEndpoint(FORM, receiver.url('/replayed'));
  for (let n = 0; n < DELIVERIES; n++) {
    const event = `{"event":"submission.created","form_id":"${FORM}","submission_id":"s_${n}","fields":{}}`;
    expect((await stack.post(event)).status).toBe(202);
  }
  await vi.waitFor(async () => expect(await delivered(0)).toBe(DELIVERIES), WAIT);
});
afterAll(async () => {
  await database?.end();
  await stack?.stop();
  await receiver?.stop();
});

/** How many deliveries ended well in this generation. */
const delivered = async (generation: number): Promise<number> => {
  const sql = "SELECT count(*)::int AS n FROM deliveries WHERE state = 'delivered' AND generation = $1";
  return (await database.query<{ n: number }>(sql, [generation])).rows[0]!.n;
};

it('a replay whose service is killed on its way sends every delivery again, in one new generation', async () => {
  const config = stack.service('config');
  const started = await stack.api('POST', `/v1/forms/${FORM}/replays`, { filter: { state: 'delivered' } });
  expect(started.body).toMatchObject({ state: 'running', matched: DELIVERIES });
  const job = async () => (await stack.api('GET', `/v1/forms/${FORM}/replays/${started.body.id}`)).body;
  await vi.waitFor(async () => expect((await job()).replayed).toBeGreaterThan(0), WAIT);
  await config.stop('SIGKILL');
  const { rows } = await database.query('SELECT state FROM replays');
  expect(rows, 'it was killed on its way').toEqual([{ state: 'running' }]);
  await config.start();
  await vi.waitFor(async () => expect((await job()).state).toBe('done'), WAIT);
  expect(await job()).toMatchObject({ matched: DELIVERIES, replayed: DELIVERIES, skipped: 0 });
  await vi.waitFor(async () => expect(await delivered(1)).toBe(DELIVERIES), WAIT);
  const attempts = await database.query('SELECT generation, count(*)::int AS n FROM attempts GROUP BY 1 ORDER BY 1');
  expect(attempts.rows).toEqual([
    { generation: 0, n: DELIVERIES },
    { generation: 1, n: DELIVERIES },
  ]);
  const counts = await database.query(
    'SELECT sum(pending)::int AS pending, sum(retrying)::int AS retrying, sum(delivered)::int AS delivered FROM delivery_counts',
  );
  expect(counts.rows, 'the statistics agree').toEqual([{ pending: 0, retrying: 0, delivered: DELIVERIES }]);
});
