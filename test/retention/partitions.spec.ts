import { ClocksDiffer, LogPartitions, upcomingDays, retainedDays, type DataSource } from '@form-webhooks/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anEvent, aStep, logDatabase, logWriter } from '../support/config/delivery-log.js';

const DAY_MS = 86_400_000;
const daysAgo = (days: number): number => Date.now() - days * DAY_MS;

describe('the days of the delivery log', () => {
  let dataSource: DataSource;
  let drop: () => Promise<void>;
  beforeAll(async () => ({ dataSource, drop } = await logDatabase(12)));
  afterAll(() => drop());

  const partitions = (): LogPartitions => new LogPartitions(dataSource);
  const count = async (table: string): Promise<number> =>
    ((await dataSource.query(`SELECT count(*)::int AS n FROM ${table}`)) as { n: number }[])[0]!.n;

  it('are made ahead once, whoever makes them at the same time', async () => {
    const days = upcomingDays(Date.now());
    expect(days).toHaveLength(5);
    await Promise.all([partitions().make(days), partitions().make(days), partitions().make(days)]);
    expect([...(await partitions().standing())].sort()).toEqual(days);
  });

  it('are made without waiting for who reads the log, and nobody waits for them', async () => {
    const reader = dataSource.createQueryRunner();
    await reader.startTransaction();
    try {
      await reader.query('SELECT count(*) FROM deliveries');
      const day = new Date(Date.now() + 9 * DAY_MS).toISOString().slice(0, 10);
      await partitions().make([day]);
      expect(await partitions().standing()).toContain(day);
    } finally {
      await reader.rollbackTransaction();
      await reader.release();
    }
  });

  it('are dropped by none of a clock that is so far ahead that the whole log would go', async () => {
    const events = [12, 11, 10].map((days) => anEvent({ acceptedAt: daysAgo(days) }));
    await logWriter(dataSource).write(events);
    const ahead = retainedDays(Date.now() + 31 * 86_400_000, 5).first;
    const before = await count('events');
    await expect(partitions().dropBefore(ahead, () => Promise.resolve(), 2)).rejects.toThrow('past their retention');
    expect(await count('events')).toBe(before);
    expect(Math.abs((await partitions().now()) - Date.now())).toBeLessThan(60_000);
    expect(await partitions().dropBefore(retainedDays(Date.now(), 5).first, () => Promise.resolve(), 3)).toHaveLength(
      3,
    );
  });

  it.each([-31, 31])('are dropped by no replica whose clock and the database’s are %i days apart', async (apart) => {
    await logWriter(dataSource).write([anEvent({ acceptedAt: daysAgo(12) })]);
    const before = await count('events');
    const off = new LogPartitions(dataSource, () => Date.now() + apart * DAY_MS);
    const { first } = retainedDays(Date.now(), 5);
    await expect(off.dropBefore(first)).rejects.toBeInstanceOf(ClocksDiffer);
    expect(await count('events')).toBe(before);
    expect(await partitions().dropBefore(first)).toHaveLength(1);
  });

  it('are dropped with their rows and counts after their retention, and no others', async () => {
    const old = anEvent({ acceptedAt: daysAgo(12) });
    const recent = anEvent({ acceptedAt: daysAgo(2) });
    await logWriter(dataSource).write([old, aStep(old), recent, aStep(recent)]);
    const { first } = retainedDays(Date.now(), 5);
    const announced: (readonly string[])[] = [];
    const refuse = () => Promise.reject(new Error('the audit log can not be written'));
    await expect(partitions().dropBefore(first, refuse)).rejects.toThrow('audit log');
    expect(await count('events'), 'nothing is dropped that could not be told of').toBe(2);
    const dropped = await partitions().dropBefore(first, async (days) => void announced.push(days));
    expect(dropped).toEqual([new Date(old.acceptedAt).toISOString().slice(0, 10)]);
    expect(announced).toEqual([dropped]);
    for (const table of ['events', 'deliveries', 'attempts', 'delivery_counts', 'attempt_latencies']) {
      expect([table, await count(table)]).toEqual([table, 1]);
    }
    expect(await partitions().dropBefore(first)).toEqual([]);
  });

  it('are made anew for a record that comes after they went behind the writer’s back', async () => {
    const writer = logWriter(dataSource, { retentionDays: 30 });
    const [before, after] = [anEvent({ acceptedAt: daysAgo(12) }), anEvent({ acceptedAt: daysAgo(12) })];
    expect(await writer.write([before])).toEqual([]);
    const { first } = retainedDays(Date.now(), 5);
    expect(await partitions().dropBefore(first)).toHaveLength(1);
    expect(await writer.write([after, aStep(after)])).toEqual([]);
    expect(await count(`deliveries WHERE event_id = '${after.eventId}' AND state = 'delivered'`)).toBe(1);
    await partitions().dropBefore(first);
  });

  it('that the database refuses to make keep back no record of another day', async () => {
    // Its own clock has room for both.
    const writer = logWriter(dataSource, { retentionDays: 30 }, undefined, () => Date.now() + 29 * DAY_MS);
    const [far, sound] = [anEvent({ acceptedAt: daysAgo(-32) }), anEvent()];
    const unwritable = await writer.write([far, sound, aStep(sound)]);
    expect(unwritable.map(({ record }) => record)).toEqual([far]);
    expect(await count(`deliveries WHERE event_id = '${sound.eventId}' AND state = 'delivered'`)).toBe(1);
    await dataSource.query('DELETE FROM deliveries; DELETE FROM attempts; DELETE FROM events');
  });

  it('go with all roll-ups of their time, however many, a bounded part at a time', async () => {
    const rows = `FROM generate_series(1, 25000) n`;
    const hours = `'f_many', 'we_' || n, now() - interval '40 days'`;
    await dataSource.query(`INSERT INTO delivery_counts (form_id, endpoint_id, hour, pending, retrying, cancelled,
      failed, delivered) SELECT ${hours}, 0, 0, 0, 0, 1 ${rows}`);
    await dataSource.query(`INSERT INTO attempt_latencies (form_id, endpoint_id, hour, bin, attempts)
      SELECT ${hours}, 1, 1 ${rows}`);
    await dataSource.query(`INSERT INTO attempt_failures (form_id, endpoint_id, hour, cause, attempts)
      SELECT ${hours}, '5xx', 1 ${rows}`);
    await dataSource.query('CREATE TABLE deletions (of text, rows integer)');
    await dataSource.query(`CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO deletions SELECT TG_TABLE_NAME, count(*) FROM gone; RETURN NULL; END $$`);
    for (const table of ['delivery_counts', 'attempt_latencies', 'attempt_failures']) {
      await dataSource.query(`CREATE TRIGGER note AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION note_deletion()`);
    }
    await partitions().dropBefore(retainedDays(Date.now(), 5).first);
    for (const table of ['delivery_counts', 'attempt_latencies', 'attempt_failures']) {
      expect(await count(`${table} WHERE form_id = 'f_many'`)).toBe(0);
      const parts = await dataSource.query('SELECT rows FROM deletions WHERE of = $1', [table]);
      expect(parts).toEqual([{ rows: 10_000 }, { rows: 10_000 }, { rows: 5_000 }]);
      await dataSource.query(`DROP TRIGGER note ON ${table}`);
    }
  });

  it('keep no finished replay from going, whatever keeps themselves', async () => {
    const old = anEvent({ acceptedAt: daysAgo(13) });
    await logWriter(dataSource).write([old]);
    await dataSource.query(`INSERT INTO replays (id, workspace_id, form_id, filter, state, matched, next_batch_at,
        created_at, finished_at)
      SELECT 'rpl_' || days, 'ws', 'f_a', '{}', 'done', 0, now(), now(), now() - days * interval '1 day'
      FROM unnest(ARRAY[2, 20]) days`);
    const { first } = retainedDays(Date.now(), 5);
    const refuse = () => Promise.reject(new Error('the audit log can not be written'));
    await expect(partitions().dropBefore(first, refuse)).rejects.toThrow('audit log');
    expect(await dataSource.query('SELECT id FROM replays')).toEqual([{ id: 'rpl_2' }]);
    await partitions().dropBefore(first);
  });

  it('are dropped while writers and readers go on, by one replica of several', async () => {
    await dataSource.query('DELETE FROM deliveries');
    const old = Array.from({ length: 8 }, (_, index) => anEvent({ acceptedAt: daysAgo(10 + index) }));
    await logWriter(dataSource).write(old);
    const { first } = retainedDays(Date.now(), 5);
    const reader = dataSource.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT count(*) FROM deliveries');
    const drops = Promise.all([partitions().dropBefore(first), partitions().dropBefore(first)]);
    const event = anEvent();
    await logWriter(dataSource).write([event, aStep(event)]);
    expect(await count("deliveries WHERE accepted_at > now() - interval '1 day'")).toBe(1);
    await reader.commitTransaction();
    await reader.release();
    expect((await drops).map((days) => days.length).sort()).toEqual([0, 8]);
    expect(await count('deliveries')).toBe(1);
  });

  it('are dropped by the next round if the last one was interrupted half-way', async () => {
    const old = anEvent({ acceptedAt: daysAgo(11) });
    await logWriter(dataSource).write([old]);
    const day = new Date(old.acceptedAt).toISOString().slice(0, 10);
    const name = day.replaceAll('-', '');
    const reader = dataSource.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT count(*) FROM attempts');
    const interrupted = dataSource.createQueryRunner();
    await interrupted.query(`ALTER TABLE deliveries DETACH PARTITION deliveries_${name}`);
    await interrupted.query(`SET statement_timeout = 200`);
    const detach = interrupted.query(`ALTER TABLE attempts DETACH PARTITION attempts_${name} CONCURRENTLY`);
    await expect(detach).rejects.toThrow('statement timeout');
    await interrupted.query('RESET statement_timeout');
    await interrupted.release();
    await reader.commitTransaction();
    await reader.release();
    expect(await partitions().standing()).not.toContain(day);
    await vi.waitFor(
      async () => expect(await partitions().dropBefore(retainedDays(Date.now(), 5).first)).toEqual([day]),
      20_000,
    );
    const left = await dataSource.query(`SELECT relname FROM pg_class WHERE relname LIKE '%_${name}'`);
    expect(left).toEqual([]);
  });
});
