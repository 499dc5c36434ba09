import { EVENT_OUTCOMES, type EventOutcome } from '@form-webhooks/domain';
import type { EventRecord } from '@form-webhooks/messages';
import {
  retainedDays,
  searchEvents,
  type DataSource,
  type EventRow,
  type LogWriteReport,
} from '@form-webhooks/storage';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anEvent, FORM, logDatabase, logWriter } from '../support/config/delivery-log.js';

const DAY_MS = 86_400_000;

describe('the row of an event', () => {
  let dataSource: DataSource;
  let drop: () => Promise<void>;

  beforeAll(async () => ({ dataSource, drop } = await logDatabase()));
  afterAll(() => drop());

  const found = async (query: { eventId: string } | { key: string }): Promise<readonly EventRow[]> =>
    (await searchEvents(dataSource.manager, FORM, query, { limit: 100 }, retainedDays(Date.now(), 30))).rows;

  const withOutcome = (event: EventRecord, outcome: EventOutcome): EventRecord => ({
    ...event,
    outcome,
    deliveries: outcome === 'fanned_out' ? event.deliveries : [],
  });

  it('shows the last outcome, in whatever order and batches its records come', async () => {
    const outcomes = fc.array(fc.constantFrom(...EVENT_OUTCOMES), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(outcomes, fc.boolean(), async (came, together) => {
        const event = anEvent();
        const records = came.map((outcome) => withOutcome(event, outcome));
        for (const batch of together ? [records] : records.map((record) => [record])) {
          await logWriter(dataSource).write(batch);
        }
        const last = EVENT_OUTCOMES.findLast((outcome) => came.includes(outcome));
        const { eventId, acceptedAt } = event;
        expect(await found({ eventId })).toMatchObject([{ eventId, acceptedAt, outcome: last, keyReused: false }]);
      }),
      { numRuns: 20 },
    );
  });

  it('takes the outcome of a repeat that was accepted on the next day', async () => {
    const event = anEvent({ acceptedAt: Date.now() - DAY_MS });
    await logWriter(dataSource).write([withOutcome(event, 'no_endpoints')]);
    await logWriter(dataSource).write([{ ...withOutcome(event, 'fanned_out'), acceptedAt: Date.now() }]);
    const { eventId, acceptedAt } = event;
    expect(await found({ eventId })).toMatchObject([{ acceptedAt, outcome: 'fanned_out' }]);
  });

  it('of a release that recorded no outcome reads as fanned out', async () => {
    const event = anEvent();
    await logWriter(dataSource).write([event]);
    expect(await found({ eventId: event.eventId })).toMatchObject([{ outcome: 'fanned_out', key: null }]);
  });

  it('tells that its key came with another content, and each such event is counted once', async () => {
    let reused = 0;
    const told = { committed: () => undefined, failed: () => undefined, unwritable: () => undefined };
    const report: LogWriteReport = { ...told, reusedKeys: (events) => (reused += events) };
    const [first, ...others] = Array.from({ length: 4 }, () => anEvent({ key: 'k-1' }));
    const other = anEvent({ key: 'k-1', event: 'payment.succeeded' });
    await logWriter(dataSource, { report }).write([first!, other]);
    expect(reused).toBe(0);
    await logWriter(dataSource, { report }).write([first!, others[0]!, others[1]!]);
    expect(reused).toBe(2);
    await logWriter(dataSource, { report }).write([others[0]!, others[2]!]);
    expect(reused).toBe(3);
    const marks = new Map((await found({ key: 'k-1' })).map(({ eventId, keyReused }) => [eventId, keyReused]));
    expect(marks).toEqual(
      new Map([[other.eventId, false], ...[first!, ...others].map((e) => [e.eventId, true] as const)]),
    );
  });
});
