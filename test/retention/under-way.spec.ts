import { LogPartitions, retainedDays, type DataSource, type LogDay } from '@form-webhooks/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anEvent, aStep, logDatabase, logWriter } from '../support/config/delivery-log.js';

/* What is under way keeps its row past the retention, and no clock of a replica keeps a record out of the log. */

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 5;
const daysAgo = (days: number): number => Date.now() - days * DAY_MS;
const dayOf = (ms: number): LogDay => new Date(ms).toISOString().slice(0, 10);

let dataSource: DataSource;
let drop: () => Promise<void>;
beforeAll(async () => ({ dataSource, drop } = await logDatabase()));
afterAll(() => drop());

beforeEach(async () => {
  await new LogPartitions(dataSource).dropBefore(retainedDays(Date.now(), RETENTION_DAYS).first);
  await dataSource.query('DELETE FROM deliveries; DELETE FROM replays');
});

const writer = (now?: () => number) => logWriter(dataSource, { retentionDays: 30 }, undefined, now);

/** One round of the retention. */
async function round(holdDays = 7): Promise<{ dropped: readonly LogDay[]; held: readonly LogDay[] }> {
  let held: readonly LogDay[] = [];
  const { first } = retainedDays(Date.now(), RETENTION_DAYS);
  const hold = { days: holdDays, told: (days: readonly LogDay[]) => void (held = days) };
  const dropped = await new LogPartitions(dataSource).dropBefore(first, () => Promise.resolve(), 7, hold);
  return { dropped, held };
}

const stateOf = async (deliveryId: string): Promise<string | undefined> => {
  const rows = await dataSource.query<{ state: string }[]>('SELECT state FROM deliveries WHERE delivery_id = $1', [
    deliveryId,
  ]);
  return rows[0]?.state;
};

describe('a day past its retention', () => {
  it('stays until the delivery on it has ended, whose end is written, and goes then', async () => {
    const open = anEvent({ acceptedAt: daysAgo(8) });
    const ended = anEvent({ acceptedAt: daysAgo(9) });
    await writer().write([open, ended, aStep(ended)]);
    const [held, gone] = [dayOf(open.acceptedAt), dayOf(ended.acceptedAt)];
    expect(await round()).toEqual({ dropped: [gone], held: [held] });
    const { deliveryId } = open.deliveries[0]!;
    expect(await stateOf(deliveryId)).toBe('pending');
    const late = logWriter(dataSource, { retentionDays: RETENTION_DAYS });
    expect(await late.write([aStep(open)])).toEqual([]);
    expect(await stateOf(deliveryId)).toBe('delivered');
    expect(await late.write([aStep(ended)]), 'and a day that went is not made again').toMatchObject([
      { reason: expect.stringContaining('the log holds') as string },
    ]);
    expect(await round()).toEqual({ dropped: [held], held: [] });
  });

  it('keeps its counts, which a delivery that ends moves', async () => {
    const open = anEvent({ acceptedAt: daysAgo(8) });
    const ended = anEvent({ acceptedAt: daysAgo(9) });
    await writer().write([open, ended, aStep(ended)]);
    await round();
    await logWriter(dataSource, { retentionDays: RETENTION_DAYS }).write([aStep(open)]);
    const counts = 'SELECT endpoint_id AS id, pending, delivered FROM delivery_counts';
    const { endpointId: id } = open.deliveries[0]!;
    expect(await dataSource.query(counts)).toEqual([{ id, pending: 0, delivered: 1 }]);
    await round();
    expect(await dataSource.query(counts)).toEqual([]);
  });

  it('goes after the longest time in any case', async () => {
    const [older, newer] = [anEvent({ acceptedAt: daysAgo(9) }), anEvent({ acceptedAt: daysAgo(6) })];
    await writer().write([older, newer]);
    expect(await round(2)).toEqual({ dropped: [dayOf(older.acceptedAt)], held: [dayOf(newer.acceptedAt)] });
  });

  it('stays while a running replay has a delivery of it on its list', async () => {
    const event = anEvent({ acceptedAt: daysAgo(8) });
    await writer().write([event, aStep(event)]);
    await dataSource.query(`INSERT INTO replays (id, workspace_id, form_id, filter, state, matched, next_batch_at,
      created_at) VALUES ('rpl_1', 'ws', 'f_a', '{}', 'running', 1, now(), now())`);
    const { deliveryId } = event.deliveries[0]!;
    await dataSource.query(`INSERT INTO replay_items VALUES ('rpl_1', 1, $1, 0)`, [deliveryId]);
    expect(await round()).toEqual({ dropped: [], held: [dayOf(event.acceptedAt)] });
    await dataSource.query(`UPDATE replays SET state = 'done', finished_at = now()`);
    expect(await round()).toEqual({ dropped: [dayOf(event.acceptedAt)], held: [] });
  });
});

it.each([-31, 31])('a replica whose clock is %i days off refuses no record', async (days) => {
  const event = anEvent();
  const unwritable = await writer(() => Date.now() + days * DAY_MS).write([event, aStep(event)]);
  expect(unwritable).toEqual([]);
  expect(await stateOf(event.deliveries[0]!.deliveryId)).toBe('delivered');
});
