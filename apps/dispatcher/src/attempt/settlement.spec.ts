import { describe, expect, it } from 'vitest';
import type { NextStep } from '@form-webhooks/domain';
import type { MadeAttempt } from '../record/delivery-records.js';
import { aDelivery, anAnswer, anEndpoint } from '../testing/factories.js';
import { FakeLog, FakePublisher, FakeReport, held, settled, type Steps } from '../testing/fakes.js';
import { Settlement } from './settlement.js';

const RETRY: NextStep = { kind: 'retry', delayMs: 10_000 };
const made = (next: NextStep): MadeAttempt => ({ endpoint: anEndpoint(), sent: anAnswer(503), next });

function stage() {
  const steps: Steps = [];
  const [publisher, log, report] = [new FakePublisher(steps), new FakeLog(steps), new FakeReport(steps)];
  return { steps, publisher, log, report, settlement: new Settlement(publisher, log, report) };
}

/** The moments between which something was done, ms since the epoch. */
async function during(work: () => Promise<void>): Promise<{ from: number; to: number }> {
  const from = Date.now();
  await work();
  return { from, to: Date.now() };
}

describe('settling an attempt', () => {
  it.each<NextStep>([{ kind: 'delivered' }, { kind: 'failed', reason: 'gone' }])(
    'that was the last one records it and publishes nothing: $kind',
    async (next) => {
      const { settlement, log, publisher } = stage();
      await settlement.settleAttempt(aDelivery(), made(next));
      const sent = anAnswer(503);
      expect(log.records).toMatchObject([
        { state: next.kind, completedAt: sent.startedAt + sent.durationMs, attempt: { outcome: next.kind } },
      ]);
      expect(publisher.delayed).toEqual([]);
    },
  );

  it('that failed publishes the next try for the time when it is due, and records the same time', async () => {
    const { settlement, log, publisher } = stage();
    const delivery = aDelivery({ position: { try: 3, deferrals: 2 }, republishedBy: 'rec_1' });
    const { from, to } = await during(() => settlement.settleAttempt(delivery, made(RETRY)));
    const [waiting] = publisher.delayed;
    expect(waiting).toMatchObject({ endpointId: 'we_1', delayMs: 10_000 });
    expect(waiting!.delivery.dueAt).toBeGreaterThanOrEqual(from + 10_000);
    expect(waiting!.delivery.dueAt).toBeLessThanOrEqual(to + 10_000);
    const { republishedBy: _, ...next } = delivery;
    const position = { generation: 0, try: 4, deferrals: 0 };
    expect(waiting!.delivery).toEqual({ ...next, position, dueAt: waiting!.delivery.dueAt });
    expect(log.records).toMatchObject([{ state: 'retrying', position, nextAttemptAt: waiting!.delivery.dueAt }]);
  });

  it('reckons when the next try is due by the delay on which it was placed in the end', async () => {
    const { settlement, log, publisher } = stage();
    publisher.placements = () => [10_000, 900_000];
    const { from } = await during(() => settlement.settleAttempt(aDelivery(), made(RETRY)));
    const [first, second] = publisher.delayed.map(({ delivery }) => delivery.dueAt);
    expect(first).toBeLessThan(from + 900_000);
    expect(second).toBeGreaterThanOrEqual(from + 900_000);
    expect(log.records).toMatchObject([{ nextAttemptAt: second }]);
  });

  it('reports it at once, records it once the next try is safe, and ends once the record is', async () => {
    const { settlement, steps, publisher, log, report } = stage();
    const [placed, recorded] = [held(), held()];
    [publisher.confirms, log.confirms] = [placed.promise, recorded.promise];
    const settling = settlement.settleAttempt(aDelivery(), made(RETRY));
    await settled();
    expect(report.told).toEqual([{ delivery: aDelivery(), made: made(RETRY) }]);
    expect(log.records).toEqual([]);
    placed.resolve();
    await settled();
    expect(log.records).toHaveLength(1);
    recorded.resolve();
    await settling;
    expect(steps).toEqual(['reported', 'published', 'recorded']);
  });

  it('records nothing if a bug keeps the next try from being published', async () => {
    const { settlement, publisher, log } = stage();
    publisher.confirms = Promise.reject(new TypeError('no such queue'));
    await expect(settlement.settleAttempt(aDelivery(), made(RETRY))).rejects.toThrow('no such queue');
    expect(log.records).toEqual([]);
  });
});

describe('deferring a delivery', () => {
  it('publishes the same try for the time when it is due, records the same time, then reports it', async () => {
    const { settlement, steps, log, publisher, report } = stage();
    const delivery = aDelivery({ position: { try: 1, deferrals: 2 }, republishedBy: 'rec_1' });
    const { from, to } = await during(() => settlement.deferDelivery(delivery, 4_000, 'no_slot'));
    const [waiting] = publisher.delayed;
    expect(waiting).toMatchObject({ endpointId: 'we_1', delayMs: 4_000 });
    const { dueAt } = waiting!.delivery;
    expect(dueAt).toBeGreaterThanOrEqual(from + 4_000);
    expect(dueAt).toBeLessThanOrEqual(to + 4_000);
    const position = { generation: 0, try: 1, deferrals: 3 };
    expect(waiting!.delivery).toEqual({ ...delivery, position, dueAt });
    expect(log.records).toMatchObject([{ state: 'retrying', position, nextAttemptAt: dueAt, attempt: null }]);
    expect(report.told).toEqual([{ delivery, cause: 'no_slot' }]);
    expect(steps).toEqual(['published', 'recorded', 'reported']);
  });
});

describe('cancelling a delivery', () => {
  it('records when and why, then reports it, and publishes nothing', async () => {
    const { settlement, steps, log, publisher, report } = stage();
    const { from, to } = await during(() => settlement.cancelDelivery(aDelivery(), 'endpoint_deleted'));
    expect(log.records).toMatchObject([{ state: 'cancelled', reason: 'endpoint_deleted', attempt: null }]);
    const [record] = log.records as { completedAt: number }[];
    expect(record!.completedAt).toBeGreaterThanOrEqual(from);
    expect(record!.completedAt).toBeLessThanOrEqual(to);
    expect(publisher.delayed).toEqual([]);
    expect(report.told).toEqual([{ delivery: aDelivery(), reason: 'endpoint_deleted' }]);
    expect(steps).toEqual(['recorded', 'reported']);
  });
});
