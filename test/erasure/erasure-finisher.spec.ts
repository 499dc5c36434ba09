import { ParkedMessages, parkedQueueOf, QUEUES, toQueue } from '@form-webhooks/broker';
import type { FormId, SubmissionId } from '@form-webhooks/domain';
import { encodeLogBatch } from '@form-webhooks/messages';
import type { DataSource } from '@form-webhooks/storage';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { emptyBroker, Probe } from '../support/broker.js';
import { openDatabase } from '../support/config/config-database.js';
import { ConfigStage, startableService } from '../support/config/config-stage.js';
import { anEvent, aStep, logWriter } from '../support/config/delivery-log.js';

const WAIT = { timeout: 30_000, interval: 50 };

describe('erasures that were interrupted', () => {
  let stage: ConfigStage;
  let dataSource: DataSource;
  let form: FormId;

  beforeAll(async () => {
    await emptyBroker(brokerUrl());
    // Its own first round finds nothing, and its next one never comes.
    stage = await ConfigStage.open({ ERASURE_INTERVAL: '24h' });
    dataSource = await openDatabase(stage.databaseUrl);
    form = (await stage.form('ws_one')) as FormId;
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await stage?.close();
  });

  async function startReplica(): Promise<void> {
    const replica = startableService(stage.databaseUrl, { ERASURE_INTERVAL: '100ms' });
    onTestFinished(() => replica.stop());
    await replica.start();
  }

  /** In the log, and with a tombstone as a crash right after it leaves it. */
  async function interrupted(...submissions: readonly string[]): Promise<void> {
    const events = submissions.map((id) => anEvent({ formId: form, submissionId: id as SubmissionId }));
    await logWriter(dataSource).write(events.flatMap((event) => [event, aStep(event)]));
    await dataSource.query(
      `INSERT INTO erased_submissions (form_id, submission_id, requested_at)
       SELECT $1, s, now() + n * interval '1 second' FROM unnest($2::text[]) WITH ORDINALITY u(s, n)`,
      [form, submissions],
    );
  }

  const park = (work: string, body: Buffer, headers: Record<string, string> = {}): Promise<void> =>
    stage.broker.publisher.publish(toQueue(parkedQueueOf(work)), { headers, body });

  async function emptyParked(): Promise<void> {
    const probe = await Probe.open(brokerUrl());
    for (const work of [QUEUES.deliveries, QUEUES.formEvents, QUEUES.deliveryLog]) {
      await probe.channel.purgeQueue(parkedQueueOf(work));
    }
  }

  const unfinished = async (): Promise<string[]> => {
    const sql = 'SELECT submission_id AS id FROM erased_submissions WHERE erased_at IS NULL ORDER BY requested_at';
    return ((await dataSource.query(sql)) as { id: string }[]).map(({ id }) => id);
  };
  const payloads = async (): Promise<string[]> => {
    const sql = 'SELECT submission_id AS id FROM events WHERE tail IS NOT NULL ORDER BY 1';
    return ((await dataSource.query(sql)) as { id: string }[]).map(({ id }) => id);
  };

  it('are completed by one of the replicas, once each, and wait for none that can not be', async () => {
    await interrupted('s_stuck', 's_one', 's_two', 's_three');
    await dataSource.query(`CREATE TABLE told (submission_id text)`);
    await dataSource.query(`
      CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO told VALUES (NEW.submission_id); RETURN NEW; END $$`);
    await dataSource.query(
      'CREATE TRIGGER tell BEFORE UPDATE ON erased_submissions FOR EACH ROW EXECUTE FUNCTION tell()',
    );
    await dataSource.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'a disk is broken'; END $$`);
    const stuck = `SELECT event_id FROM deliveries WHERE submission_id = 's_stuck'`;
    const [{ event_id }] = (await dataSource.query(stuck)) as [{ event_id: string }];
    await dataSource.query(`CREATE TRIGGER refuse BEFORE UPDATE ON events FOR EACH ROW
      WHEN (OLD.event_id = '${event_id}') EXECUTE FUNCTION refuse()`);
    const probe = await Probe.open(brokerUrl());
    const queue = parkedQueueOf(QUEUES.deliveries);
    for (const submission_id of ['s_one', 's_stuck', 's_other']) {
      await park(QUEUES.deliveries, Buffer.from('x'), { form_id: form, submission_id });
    }

    await Promise.all([startReplica(), startReplica()]);
    await vi.waitFor(async () => expect(await unfinished()).toEqual(['s_stuck']), WAIT);
    expect(await payloads()).toEqual(['s_stuck']);
    await vi.waitFor(async () => expect(await probe.depth(queue)).toBe(1), WAIT);

    await dataSource.query('DROP TRIGGER refuse ON events');
    await vi.waitFor(async () => expect(await unfinished()).toEqual([]), WAIT);
    expect(await payloads()).toEqual([]);
    const told = (await dataSource.query('SELECT submission_id AS id FROM told ORDER BY 1')) as { id: string }[];
    expect(told.map(({ id }) => id)).toEqual(['s_one', 's_stuck', 's_three', 's_two']);
  });

  it('reach what is parked after they were finished, and leave what is of others', async () => {
    await emptyParked();
    await startReplica();
    const erased = await stage.call('DELETE', `/v1/forms/${form}/submissions/s_before/data`);
    expect(erased.status).toBe(204);
    const of = (id: string) => anEvent({ formId: form, submissionId: id as SubmissionId });
    const [gone, stays] = [of('s_before'), of('s_stays')];
    const formEvent = (id: string) => Buffer.from(JSON.stringify({ form_id: form, submission_id: id }));
    for (const event of [gone, stays]) {
      const headers = { form_id: form, submission_id: event.submissionId };
      await park(QUEUES.deliveries, event.tail, headers);
      await park(QUEUES.formEvents, formEvent(event.submissionId));
      await park(QUEUES.deliveryLog, encodeLogBatch([event]));
    }
    await park(QUEUES.deliveryLog, encodeLogBatch([gone, stays]));

    const batch = encodeLogBatch([stays]).length;
    const left = { timeout: 30_000, interval: 100 };
    const sizes = async (work: string) =>
      (await new ParkedMessages(stage.broker).list(parkedQueueOf(work), 10)).map(({ bytes }) => bytes);
    await vi.waitFor(async () => expect(await sizes(QUEUES.deliveryLog)).toEqual([batch, batch]), left);
    await vi.waitFor(async () => expect(await sizes(QUEUES.deliveries)).toEqual([stays.tail.length]), left);
    await vi.waitFor(async () => expect(await sizes(QUEUES.formEvents)).toEqual([formEvent('s_stays').length]), left);
  });
});
