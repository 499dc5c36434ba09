import { deriveDeliveryId, FIRST_POSITION, randomEndpointId, randomEventId } from '@form-webhooks/domain';
import { dayOf, insertTestDelivery, LogPartitions, type DataSource, type LogWriteReport } from '@form-webhooks/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  aStep,
  anAttempt,
  anEvent,
  FORM,
  logDatabase,
  logWriter,
  NotedSwitchOff,
} from '../support/config/delivery-log.js';

const DAY_MS = 86_400_000;

describe('the delivery log writer', () => {
  let dataSource: DataSource;
  let drop: () => Promise<void>;

  beforeAll(async () => ({ dataSource, drop } = await logDatabase()));
  afterAll(() => drop());
  beforeEach(() => dataSource.query('TRUNCATE events, deliveries, attempts, delivery_counts, attempt_latencies'));

  const rows = <T>(sql: string): Promise<T[]> => dataSource.query(sql);

  it('stores an event once, a pending delivery for each endpoint, and what became of each', async () => {
    const eventId = randomEventId();
    const endpoints = [randomEndpointId(), randomEndpointId()];
    const event = anEvent({
      eventId,
      deliveries: endpoints.map((endpointId) => ({ endpointId, deliveryId: deriveDeliveryId(eventId, endpointId) })),
    });
    const writer = logWriter(dataSource);
    expect(await writer.write([event])).toEqual([]);
    expect(await writer.write([aStep(event), event])).toEqual([]);
    const stored = await rows<{ tail: Buffer }>('SELECT tail FROM events');
    expect(stored).toEqual([{ tail: event.tail }]);
    expect(
      await rows('SELECT endpoint_id, state, attempt_count, last_response_status FROM deliveries ORDER BY state'),
    ).toEqual([
      { endpoint_id: endpoints[1], state: 'pending', attempt_count: 0, last_response_status: null },
      { endpoint_id: endpoints[0], state: 'delivered', attempt_count: 1, last_response_status: 200 },
    ]);
  });

  it('gathers what arrives together into one transaction', async () => {
    const writer = logWriter(dataSource, { gatherMs: 20 });
    await Promise.all(Array.from({ length: 50 }, () => writer.write([anEvent()])));
    const [{ transactions }] = (await rows(
      'SELECT count(DISTINCT xmin::text)::int AS transactions FROM deliveries',
    )) as [{ transactions: number }];
    expect(transactions).toBe(1);
  });

  it('finds the row of a repeated acceptance on the neighbouring day, and keeps the first acceptance', async () => {
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const first = anEvent({ acceptedAt: midnight - 5 });
    const repeat = { ...first, acceptedAt: midnight + 5 };
    for (const order of [
      [first, repeat],
      [repeat, first],
    ]) {
      await dataSource.query('TRUNCATE events, deliveries, attempts, delivery_counts');
      const writer = logWriter(dataSource);
      for (const event of order) await writer.write([event, aStep(event, { attempt: anAttempt() })]);
      expect(await rows('SELECT accepted_at, attempt_count FROM deliveries')).toEqual([
        { accepted_at: new Date(first.acceptedAt), attempt_count: 2 },
      ]);
      expect(await rows("SELECT to_char(day, 'YYYY-MM-DD') AS day FROM events")).toEqual([
        { day: new Date(first.acceptedAt).toISOString().slice(0, 10) },
      ]);
    }
  });

  it('makes a second row of what is accepted again after more than a day', async () => {
    const first = anEvent({ acceptedAt: Date.now() - 3 * DAY_MS });
    await logWriter(dataSource).write([first, { ...first, acceptedAt: Date.now() }]);
    expect(await rows('SELECT delivery_id FROM deliveries')).toHaveLength(2);
    expect(await rows('SELECT event_id FROM events')).toHaveLength(2);
  });

  it('tells which records it can never write, and writes the others of their batch', async () => {
    const sound = anEvent();
    const ancient = anEvent({ acceptedAt: Date.now() - 40 * DAY_MS });
    const early = anEvent({ acceptedAt: Date.now() + 10 * DAY_MS });
    const malformed = aStep(sound, { state: 'lost' as never });
    const writer = logWriter(dataSource, { gatherMs: 20 });
    const [unwritable, others] = await Promise.all([
      writer.write([ancient, malformed, early, sound]),
      writer.write([anEvent()]),
    ]);
    expect(unwritable.map(({ record }) => record)).toEqual([ancient, malformed, early]);
    expect(unwritable[0]!.reason).toMatch(/^accepted on .*; the log holds/);
    expect(unwritable[1]!.reason).toBe('state is malformed');
    expect(others).toEqual([]);
    expect(await rows('SELECT 1 FROM deliveries')).toHaveLength(2);
  });

  it('halves a batch that the database refuses until only the culprit is left, the larger parts first', async () => {
    await dataSource.query(`ALTER TABLE deliveries ADD CONSTRAINT refused CHECK (submission_id <> 's_refused')`);
    try {
      const culprit = anEvent({ submissionId: 's_refused' as never });
      const batch = [
        ...Array.from({ length: 20 }, () => anEvent()),
        culprit,
        ...Array.from({ length: 7 }, () => anEvent()),
      ];
      const told: string[] = [];
      const report: LogWriteReport = {
        committed: (records) => told.push(`committed ${records}`),
        failed: (why) => told.push(why),
        reusedKeys: (events) => told.push(`reused ${events}`),
        unwritable: (records) => told.push(`unwritable ${records}`),
      };
      const unwritable = await logWriter(dataSource, { report }).write(batch);
      expect(told.filter((line) => line === 'refused')).toHaveLength(6);
      expect(told.filter((line) => line.startsWith('committed')).map((line) => Number(line.slice(10)))).toEqual([
        14, 7, 3, 2, 1,
      ]);
      expect(told.at(-1)).toBe('unwritable 1');
      expect(unwritable).toEqual([{ record: culprit, reason: 'the database refuses it with 23514 (refused)' }]);
      expect(await rows('SELECT 1 FROM deliveries')).toHaveLength(27);
    } finally {
      await dataSource.query('ALTER TABLE deliveries DROP CONSTRAINT refused');
    }
  });

  it('keeps what a receiver answers out of its way: NUL, half surrogates, other alphabets', async () => {
    const event = anEvent();
    const excerpt = 'a\0b \ud800 c \u202e 日本 😀 "\\';
    const headers = { 'x-\0': '\udfff"' };
    const attempt = anAttempt({ response: { status: 500, headers, excerpt, truncated: false }, outcome: 'retry' });
    expect(await logWriter(dataSource).write([event, aStep(event, { attempt })])).toEqual([]);
    expect(await rows('SELECT response_excerpt, response_headers FROM attempts')).toEqual([
      { response_excerpt: 'a\ufffdb \ufffd c \u202e 日本 😀 "\\', response_headers: { 'x-\ufffd': '\ufffd"' } },
    ]);
  });

  it('stores neither payload nor excerpt of an erased submission', async () => {
    const event = anEvent({ submissionId: 's_erased' as never });
    await dataSource.query(
      `INSERT INTO erased_submissions (requested_at, form_id, submission_id) VALUES (now(), '${FORM}', 's_erased')`,
    );
    await logWriter(dataSource).write([event, aStep(event), anEvent()]);
    expect(await rows(`SELECT tail FROM events WHERE submission_id = 's_erased'`)).toEqual([{ tail: null }]);
    expect(await rows('SELECT response_status, response_excerpt, response_headers FROM attempts')).toEqual([
      { response_status: 200, response_excerpt: null, response_headers: {} },
    ]);
    expect(await rows('SELECT 1 FROM events WHERE tail IS NOT NULL')).toHaveLength(1);
  });

  it('reports a receiver that is gone once, and never for a test send', async () => {
    const switchOff = new NotedSwitchOff();
    const writer = logWriter(dataSource, {}, switchOff);
    const event = anEvent();
    const gone = aStep(event, {
      state: 'failed',
      reason: 'gone',
      attempt: anAttempt({ outcome: 'failed', endpointVersion: 4 }),
    });
    await writer.write([gone, gone]);
    await writer.write([gone]);
    const test = anEvent();
    await writer.write([aStep(test, { state: 'failed', reason: 'gone', trigger: 'test' })]);
    expect(switchOff.told).toMatchObject([
      { endpointId: gone.endpointId, endpointVersion: 4, deliveryId: gone.deliveryId },
    ]);
  });

  it('leaves nothing behind when the switch-off fails, and everything when it is tried again', async () => {
    const event = anEvent();
    const gone = aStep(event, { state: 'failed', reason: 'gone' });
    const failing = new NotedSwitchOff();
    failing.switchOff = () => Promise.reject(new Error('no audit entry, no change'));
    await expect(logWriter(dataSource, {}, failing).write([event, gone])).rejects.toThrow("can't be written");
    expect(await rows('SELECT 1 FROM attempts UNION ALL SELECT 1 FROM deliveries')).toEqual([]);
    expect(await logWriter(dataSource).write([event, gone])).toEqual([]);
    expect(await rows('SELECT state, reason FROM deliveries')).toEqual([{ state: 'failed', reason: 'gone' }]);
  });

  it('shows a test send as pending at once, and keeps it out of the statistics to its end', async () => {
    const event = anEvent({ submissionId: 's_test_1' as never });
    const { acceptedAt, tail, eventId, formId, submissionId } = event;
    await new LogPartitions(dataSource).make([dayOf(acceptedAt)]);
    await dataSource.transaction((tx) =>
      insertTestDelivery(tx, {
        ...{ event: event.event, eventId, formId, submissionId, acceptedAt, tail, ...event.deliveries[0]! },
        ...{ position: FIRST_POSITION, generationStartedAt: acceptedAt, dueAt: acceptedAt, trigger: 'test' },
      }),
    );
    expect(
      await rows('SELECT state, trigger, attempt_count, tail FROM deliveries JOIN events USING (event_id)'),
    ).toEqual([{ state: 'pending', trigger: 'test', attempt_count: 0, tail }]);
    await logWriter(dataSource).write([aStep(event, { trigger: 'test', state: 'failed', reason: 'exhausted' })]);
    expect(await rows('SELECT state, trigger, attempt_count FROM deliveries')).toEqual([
      { state: 'failed', trigger: 'test', attempt_count: 1 },
    ]);
    expect(await rows('SELECT 1 FROM delivery_counts UNION ALL SELECT 1 FROM attempt_latencies')).toEqual([]);
  });
});
