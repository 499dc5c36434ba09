import {
  EVENT_OUTCOMES,
  compareStandings,
  deriveDeliveryId,
  type AttemptId,
  type DeliveryState,
  type EndpointId,
  type EventId,
} from '@form-webhooks/domain';
import type { DeliveryLogRecord, DeliveryRecord } from '@form-webhooks/messages';
import { countDeliveries, lockReplayable, startReplay, type DataSource, type RowChange } from '@form-webhooks/storage';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anAttempt, anEvent, aStep, FORM, logDatabase, logWriter } from '../support/config/delivery-log.js';

const DAY_MS = 86_400_000;
const MIDNIGHT = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** Acceptances of one event: within an hour, over an hour, over midnight. */
const ACCEPTED = [MIDNIGHT - 7_200_000, MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + 1];
const EVENTS = ['evt_a', 'evt_b'] as EventId[];
const ENDPOINTS = ['we_a', 'we_b'] as EndpointId[];

/** Few, so that equal standings with different times and reasons are common. */
const POSITIONS = [
  { generation: 0, try: 0, deferrals: 0 },
  { generation: 0, try: 1, deferrals: 0 },
  { generation: 0, try: 1, deferrals: 1 },
  { generation: 1, try: 0, deferrals: 0 },
];

const endpointsOf = (eventId: EventId) =>
  ENDPOINTS.map((endpointId) => ({ endpointId, deliveryId: deriveDeliveryId(eventId, endpointId) }));

const eventRecord = fc
  .record({
    eventId: fc.constantFrom(...EVENTS),
    acceptedAt: fc.constantFrom(...ACCEPTED),
    outcome: fc.constantFrom(...EVENT_OUTCOMES),
  })
  .map((given) => anEvent({ ...given, deliveries: endpointsOf(given.eventId) }));

const step = fc.record({
  eventId: fc.constantFrom(...EVENTS),
  endpoint: fc.nat(1),
  acceptedAt: fc.constantFrom(...ACCEPTED),
  position: fc.constantFrom(...POSITIONS),
  state: fc.constantFrom<DeliveryState>('pending', 'retrying', 'cancelled', 'failed', 'delivered'),
  reason: fc.constantFrom('rejected' as const, 'exhausted' as const),
  trigger: fc.constantFrom('event' as const, 'replay' as const),
  at: fc.nat(3),
  attempt: fc.option(
    fc.record({ status: fc.constantFrom(200, 204, 500, 503), durationMs: fc.constantFrom(1, 40, 900) }),
  ),
});

const deliveryRecord = fc.tuple(step, fc.uuid()).map(([given, id]): DeliveryRecord => {
  const { eventId, acceptedAt, position, state, reason, trigger, at, attempt } = given;
  const event = anEvent({ eventId, acceptedAt, deliveries: [endpointsOf(eventId)[given.endpoint]!] });
  const open = state === 'pending' || state === 'retrying';
  return aStep(event, {
    position,
    state,
    trigger,
    reason: state === 'failed' ? reason : null,
    nextAttemptAt: open ? MIDNIGHT + at : null,
    completedAt: open ? null : MIDNIGHT + at,
    attempt:
      attempt &&
      anAttempt({
        id: `att_${id}` as AttemptId,
        try: position.try,
        startedAt: MIDNIGHT + at * 2_000_000,
        durationMs: attempt.durationMs,
        response: { status: attempt.status, headers: {}, excerpt: '', truncated: false },
      }),
  });
});

const batchOf = fc.array(fc.oneof({ weight: 1, arbitrary: eventRecord }, { weight: 3, arbitrary: deliveryRecord }), {
  minLength: 1,
  maxLength: 14,
});

/** The same records in another order, some of them more than once, cut into messages. */
const shuffled = batchOf.chain((records) =>
  fc.record({
    records: fc.constant(records),
    order: fc
      .array(fc.nat(records.length - 1), { maxLength: 8 })
      .chain((extra) =>
        fc.shuffledSubarray([...records.keys(), ...extra], { minLength: records.length + extra.length }),
      ),
    messageSize: fc.integer({ min: 1, max: 5 }),
    concurrent: fc.boolean(),
  }),
);

// One that ran out of its time would go on beside the next, in the same tables.
vi.setConfig({ testTimeout: 240_000 });

describe('the log after any order and repetition of its records', () => {
  let dataSource: DataSource;
  let drop: () => Promise<void>;
  beforeAll(async () => ({ dataSource, drop } = await logDatabase()));
  afterAll(() => drop());

  const empty = () =>
    dataSource.query(
      `DELETE FROM events; DELETE FROM deliveries; DELETE FROM attempts; DELETE FROM delivery_counts;
       DELETE FROM attempt_latencies`,
    );

  it('is the same', async () => {
    const [one, other] = [logWriter(dataSource), logWriter(dataSource)];
    await fc.assert(
      fc.asyncProperty(shuffled, async ({ records, order, messageSize, concurrent }) => {
        await empty();
        expect(await one.write(records)).toEqual([]);
        const expected = await dump(dataSource);
        await empty();
        const messages = cut(
          order.map((index) => records[index]!),
          messageSize,
        );
        if (concurrent) await Promise.all(messages.map((message) => one.write(message)));
        else for (const message of messages) await one.write(message);
        expect(await dump(dataSource)).toEqual(expected);
        await Promise.all(messages.map((message, index) => (index % 2 ? one : other).write(message)));
        expect(await dump(dataSource)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('holds the highest standing of each delivery, and counts that agree with the rows', async () => {
    const writer = logWriter(dataSource);
    await fc.assert(
      fc.asyncProperty(shuffled, async ({ records, order, messageSize }) => {
        await empty();
        for (const message of cut(
          order.map((index) => records[index]!),
          messageSize,
        ))
          await writer.write(message);
        expect(await standings(dataSource)).toEqual(highestStandings(records));
        expect(await dataSource.query(COUNTED)).toEqual(await dataSource.query(COUNTS));
        expect(await dataSource.query(TIMED)).toEqual(await dataSource.query(LATENCIES));
      }),
      { numRuns: 60 },
    );
  });

  it('has counts that agree with the rows also while deliveries are replayed in between', async () => {
    const writer = logWriter(dataSource);
    const ids = EVENTS.flatMap((eventId) => endpointsOf(eventId).map(({ deliveryId }) => deliveryId)).sort();
    let replayed = 0;
    await fc.assert(
      fc.asyncProperty(shuffled, async ({ records, order, messageSize, concurrent }) => {
        await empty();
        const messages = cut(
          order.map((index) => records[index]!),
          messageSize,
        );
        for (const message of messages) {
          const written = writer.write(message);
          if (!concurrent) await written;
          replayed += await replay(dataSource, ids);
          await written;
        }
        expect(await dataSource.query(COUNTED)).toEqual(await dataSource.query(COUNTS));
      }),
      { numRuns: 60 },
    );
    expect(replayed).toBeGreaterThan(0);
  });

  it('is the same when two writers take turns with the same deliveries', async () => {
    const [one, other] = [logWriter(dataSource), logWriter(dataSource)];
    await empty();
    const events = Array.from({ length: 200 }, () => anEvent());
    const steps = events.map((event) => aStep(event));
    await Promise.all([
      ...cut(events, 20).map((message) => one.write(message)),
      ...cut([...events].reverse(), 30).map((message) => other.write(message)),
      ...cut(steps, 7).flatMap((message) => [one.write(message), other.write([...message].reverse())]),
    ]);
    expect(await dataSource.query('SELECT state, attempt_count, count(*)::int FROM deliveries GROUP BY 1, 2')).toEqual([
      { state: 'delivered', attempt_count: 1, count: 200 },
    ]);
    expect(await dataSource.query(COUNTED)).toEqual(await dataSource.query(COUNTS));
  });
});

/** Replays what can be replayed of these, as a batch of a job does. @returns how many */
async function replay(dataSource: DataSource, ids: readonly string[]): Promise<number> {
  return dataSource.transaction(async (tx) => {
    const changes: RowChange[] = [];
    for (const id of ids) {
      const replayable = await lockReplayable(tx, FORM, id);
      if (typeof replayable === 'string') continue;
      changes.push((await startReplay(tx, replayable, MIDNIGHT)).change);
    }
    await countDeliveries(tx, changes);
    return changes.length;
  });
}

function cut<T>(values: readonly T[], size: number): T[][] {
  return values.length === 0 ? [] : [values.slice(0, size), ...cut(values.slice(size), size)];
}

async function dump(dataSource: DataSource): Promise<unknown> {
  return {
    events: await dataSource.query('SELECT * FROM events ORDER BY event_id, day'),
    deliveries: await dataSource.query('SELECT * FROM deliveries ORDER BY delivery_id, day'),
    attempts: await dataSource.query('SELECT * FROM attempts ORDER BY attempt_id, day'),
    counts: await dataSource.query(COUNTS),
    latencies: await dataSource.query(LATENCIES),
  };
}

const standings = (dataSource: DataSource): Promise<unknown[]> =>
  dataSource.query('SELECT delivery_id, generation, try, deferrals, state::text FROM deliveries ORDER BY delivery_id');

/** What the log must say, found without it. */
function highestStandings(records: readonly DeliveryLogRecord[]): unknown[] {
  const highest = new Map<string, Pick<DeliveryRecord, 'position' | 'state'>>();
  for (const record of records) {
    const told =
      record.kind === 'delivery'
        ? [{ deliveryId: record.deliveryId, position: record.position, state: record.state }]
        : record.deliveries.map(({ deliveryId }) => ({
            deliveryId,
            position: { generation: 0, try: 0, deferrals: 0 },
            state: 'pending' as const,
          }));
    for (const { deliveryId, ...standing } of told) {
      const known = highest.get(deliveryId);
      if (!known || compareStandings(known, standing) < 0) highest.set(deliveryId, standing);
    }
  }
  return [...highest]
    .map(([deliveryId, { position, state }]) => ({ delivery_id: deliveryId, ...position, state }))
    .sort((a, b) => (a.delivery_id < b.delivery_id ? -1 : 1));
}

const STATES = ['pending', 'retrying', 'cancelled', 'failed', 'delivered'];

/** The roll-ups, without hours in which nothing is left. */
const COUNTS = `SELECT form_id, endpoint_id, hour, ${STATES.join(', ')} FROM delivery_counts
  WHERE ${STATES.join(' + ')} > 0 ORDER BY form_id, endpoint_id, hour`;
const COUNTED = `SELECT form_id, endpoint_id, date_trunc('hour', accepted_at, 'UTC') AS hour,
    ${STATES.map((state) => `(count(*) FILTER (WHERE state = '${state}'))::int AS ${state}`).join(', ')}
  FROM deliveries WHERE trigger <> 'test' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
const LATENCIES = `SELECT endpoint_id, hour, sum(attempts)::int AS attempts, max(bin) AS slowest FROM attempt_latencies
  GROUP BY 1, 2 ORDER BY 1, 2`;
const TIMED = `SELECT endpoint_id, date_trunc('hour', started_at, 'UTC') AS hour, count(*)::int AS attempts,
    max(ceil(4 * log(2, duration_ms)))::int AS slowest
  FROM attempts JOIN (SELECT DISTINCT delivery_id, endpoint_id FROM deliveries) d USING (delivery_id)
  GROUP BY 1, 2 ORDER BY 1, 2`;
