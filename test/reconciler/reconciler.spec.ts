import { parkedQueueOf, QUEUES, toQueue } from '@form-webhooks/broker';
import {
  deliveryHeaders,
  encodeLogBatch,
  eventHeaders,
  type DeliveryMessage,
  type DeliveryRecord,
  type EventRecord,
} from '@form-webhooks/messages';
import type { DataSource } from '@form-webhooks/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { emptyBroker, Probe } from '../support/broker.js';
import { openDatabase } from '../support/config/config-database.js';
import { ConfigStage, startableService, type StartableConfig } from '../support/config/config-stage.js';
import { anEvent, aStep, deliveryOf, logWriter } from '../support/config/delivery-log.js';
import { sampleOf } from '../support/metrics/samples.js';
import { EchoingDispatcher } from '../support/config/echoing-dispatcher.js';

/** A second's grace: what was due longer ago is lost once the fences have come through. */
const QUICK = { RECONCILE_GRACE: '1s', RECONCILE_INTERVAL: '200ms', ATTEMPT_TIMEOUT: '100ms' };
const PATIENCE = { timeout: 90_000, interval: 100 };
// Several rounds of reconciliations each, which take a quarter of a minute by themselves.
vi.setConfig({ testTimeout: 180_000 });

describe('the reconciler', () => {
  let stage: ConfigStage;
  let second: StartableConfig;
  let dataSource: DataSource;

  beforeAll(async () => {
    // What other files left in the delivery queues would be taken for this one's.
    await emptyBroker(brokerUrl());
    stage = await ConfigStage.open(QUICK);
    second = startableService(stage.databaseUrl, QUICK);
    await second.start();
    dataSource = await openDatabase(stage.databaseUrl);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await second.stop();
    await stage.close();
  });
  beforeEach(async () => {
    await dataSource.query('DELETE FROM deliveries; DELETE FROM events; DELETE FROM erased_submissions');
    // One that a dispatcher of the test before left half way would wait for ever: nobody passes its next fence on.
    await dataSource.query('DELETE FROM reconciliations WHERE finished_at IS NULL');
  });

  /** Events of a while ago, in the log with the given step if any. */
  async function logged(count: number, step?: (event: EventRecord) => Partial<DeliveryRecord>): Promise<EventRecord[]> {
    const events = Array.from({ length: count }, () => anEvent({ acceptedAt: Date.now() - 60_000 }));
    const steps = step ? events.map((event) => aStep(event, { attempt: null, ...step(event) })) : [];
    await logWriter(dataSource).write([...events, ...steps]);
    return events;
  }

  /** Its delivery, as the fan-out made it. */
  async function publishDelivery(queue: string, event: EventRecord): Promise<void> {
    const headers = deliveryHeaders(deliveryOf(event));
    await stage.broker.publisher.publish(toQueue(queue), { headers, body: event.tail });
  }

  const idOf = (event: EventRecord): string => event.deliveries[0]!.deliveryId;
  const idsOf = (messages: readonly DeliveryMessage[]): string[] => messages.map(({ deliveryId }) => deliveryId).sort();
  const finished = async (): Promise<number> =>
    (
      (await dataSource.query(`SELECT count(*)::int AS n FROM reconciliations WHERE phase = 'done'`)) as [{ n: number }]
    )[0].n;
  /** That many reconciliations that began after now have ended. */
  const rounds = async (count: number): Promise<void> => {
    const before = await finished();
    await vi.waitFor(async () => expect(await finished()).toBeGreaterThanOrEqual(before + count + 1), PATIENCE);
  };

  /** Nobody echoes: a reconciliation that is past its fences ends, and the next waits for its first. */
  const fencesAreUnderWay = (): Promise<void> =>
    vi.waitFor(async () => {
      const running: unknown[] = await dataSource.query('SELECT phase FROM reconciliations WHERE finished_at IS NULL');
      expect(running).toEqual([{ phase: 'due' }]);
    }, PATIENCE);

  it('publishes what was lost once, where it stood, and leaves alone what is final or not due', async () => {
    const pending = await logged(120);
    const retry = { generation: 0, try: 3, deferrals: 1 };
    const retrying = await logged(1, (event) => ({
      state: 'retrying',
      position: retry,
      nextAttemptAt: event.acceptedAt + 10_000,
    }));
    await logged(5, () => ({ state: 'failed', reason: 'exhausted' }));
    await logged(5, () => ({ state: 'retrying', position: retry, nextAttemptAt: Date.now() + 3_600_000 }));
    const dispatcher = await EchoingDispatcher.open(stage.broker);
    await vi.waitFor(() => expect(dispatcher.taken.length).toBeGreaterThanOrEqual(121), PATIENCE);
    await rounds(2);
    expect(idsOf(dispatcher.taken)).toEqual([...pending, ...retrying].map(idOf).sort());
    const replicas = await Promise.all([stage.service.start(), second.start()]);
    const published = replicas.map(({ healthUrl }) =>
      sampleOf(healthUrl, 'config_reconciler_deliveries_total', { fate: 'published' }),
    );
    expect((await Promise.all(published)).reduce((sum, count) => sum + count)).toBe(121);
    const again = dispatcher.taken.find(({ deliveryId }) => deliveryId === idOf(retrying[0]!))!;
    expect(again).toMatchObject({
      republishedBy: expect.stringMatching(/^rec_/) as string,
      position: retry,
      tail: retrying[0]!.tail,
      acceptedAt: retrying[0]!.acceptedAt,
    });
  });

  it('does not double a backlog, however long it has been due', async () => {
    await fencesAreUnderWay();
    const events = await logged(300);
    for (const event of events) await publishDelivery(QUEUES.deliveries, event);
    const probe = await Probe.open(brokerUrl());
    // The first fence waits in one of the queues; for more than a grace nobody takes anything.
    await vi.waitFor(async () => expect(await probe.depth(QUEUES.due)).toBeGreaterThanOrEqual(2), PATIENCE);
    const dispatcher = await EchoingDispatcher.open(stage.broker);
    await rounds(2);
    expect(idsOf(dispatcher.taken)).toEqual(events.map(idOf).sort());
  });

  it('leaves to a person what is parked, as a delivery, a record or an event, and publishes the rest', async () => {
    await fencesAreUnderWay();
    const [delivery, recorded, event, lost] = (await logged(4)) as [EventRecord, EventRecord, EventRecord, EventRecord];
    await publishDelivery(parkedQueueOf(QUEUES.deliveries), delivery);
    const { publisher } = stage.broker;
    const batch = encodeLogBatch([aStep(recorded)]);
    await publisher.publish(toQueue(parkedQueueOf(QUEUES.deliveryLog)), { headers: {}, body: batch });
    const headers = eventHeaders(event);
    await publisher.publish(toQueue(parkedQueueOf(QUEUES.events)), { headers, body: event.tail });
    const dispatcher = await EchoingDispatcher.open(stage.broker);
    await vi.waitFor(() => expect(dispatcher.taken.length).toBeGreaterThan(0), PATIENCE);
    await rounds(2);
    expect(idsOf(dispatcher.taken)).toEqual([idOf(lost)]);
    const probe = await Probe.open(brokerUrl());
    for (const queue of [QUEUES.deliveries, QUEUES.deliveryLog, QUEUES.events]) {
      await vi.waitFor(async () => expect(await probe.depth(parkedQueueOf(queue))).toBe(1), PATIENCE);
      await probe.channel.purgeQueue(parkedQueueOf(queue));
    }
  });

  const standingOf = async (event: EventRecord): Promise<unknown> => {
    const rows: unknown[] = await dataSource.query(
      'SELECT state, reason, next_attempt_at AS next, completed_at IS NOT NULL AS completed FROM deliveries WHERE delivery_id = $1',
      [idOf(event)],
    );
    return rows[0];
  };
  const counts = (): Promise<unknown[]> =>
    dataSource.query(`SELECT sum(pending)::int AS pending, sum(failed)::int AS failed FROM delivery_counts`);

  it('sends nothing of an erased submission, and cancels what it had of it', async () => {
    await dataSource.query('DELETE FROM delivery_counts');
    const [event] = await logged(1);
    const other = anEvent({ acceptedAt: Date.now() - 60_000, submissionId: 's_other' as EventRecord['submissionId'] });
    await logWriter(dataSource).write([other]);
    await dataSource.query(
      `INSERT INTO erased_submissions (requested_at, form_id, submission_id) VALUES (now() - interval '1 year', $1, $2)`,
      [event!.formId, event!.submissionId],
    );
    const dispatcher = await EchoingDispatcher.open(stage.broker);
    await rounds(2);
    expect(idsOf(dispatcher.taken)).toEqual([idOf(other)]);
    const cancelled = { state: 'cancelled', reason: 'submission_erased', next: null, completed: true };
    expect(await standingOf(event!)).toEqual(cancelled);
    expect(await counts()).toEqual([{ pending: 0, failed: 0 }]);
  });

  it('ends a lost delivery whose payload is not in the log, and goes on past it', async () => {
    await dataSource.query('DELETE FROM delivery_counts');
    const [unrecoverable, other] = await logged(2);
    await dataSource.query('DELETE FROM events WHERE event_id = $1', [unrecoverable!.eventId]);
    const dispatcher = await EchoingDispatcher.open(stage.broker);
    await rounds(2);
    expect(idsOf(dispatcher.taken)).toEqual([idOf(other!)]);
    const failed = { state: 'failed', reason: 'payload_missing', next: null, completed: true };
    expect(await standingOf(unrecoverable!)).toEqual(failed);
    expect(await counts()).toEqual([{ pending: 0, failed: 1 }]);
  });

  const AN_HOUR_MS = 3_600_000;
  it.each([
    ['a day-old backup', 24 * AN_HOUR_MS + 60_000, {}],
    [
      'a younger one, if it is told when it was restored',
      AN_HOUR_MS,
      { RESTORED_AT: new Date(Date.now() - AN_HOUR_MS / 2).toISOString() },
    ],
  ] as const)('sends nothing of %s again, and ends it, but what began since', async (_, ageMs, env) => {
    // As in operations.md: every config ends before the restore.
    await stage.service.stop();
    await second.stop();
    const old = Array.from({ length: 3 }, () => anEvent({ acceptedAt: Date.now() - ageMs }));
    await logWriter(dataSource).write(old);
    // A replay that was begun and not published yet when the backup was made, with its message in the outbox.
    const [replayed] = old as [EventRecord];
    const headers = deliveryHeaders(deliveryOf(replayed));
    await dataSource.query(
      `INSERT INTO outbox (kind, headers, body, created_at)
       VALUES ('delivery', $1, '', now() - make_interval(secs => $2))`,
      [headers, ageMs / 1_000],
    );
    const restored = startableService(stage.databaseUrl, { ...QUICK, ...env });
    onTestFinished(() => restored.stop());
    await restored.start();
    const [recent] = await logged(1);
    const dispatcher = await EchoingDispatcher.open(stage.broker);
    await vi.waitFor(() => expect(dispatcher.taken.length).toBeGreaterThan(0), PATIENCE);
    await rounds(2);
    expect(idsOf(dispatcher.taken)).toEqual([idOf(recent!)]);
    for (const event of old) expect(await standingOf(event)).toMatchObject({ state: 'failed', reason: 'expired' });
  });
});
