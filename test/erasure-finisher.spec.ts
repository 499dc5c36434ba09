import { parkedQueueOf, QUEUES, toQueue } from '@form-webhooks/broker';
import type { FormId, SubmissionId } from '@form-webhooks/domain';
import type { DataSource } from '@form-webhooks/storage';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { emptyBroker, Probe } from './support/broker.js';
import { openDatabase } from './support/config-database.js';
import { ConfigStage, startableService } from './support/config-stage.js';
import { anEvent, aStep, logWriter } from './support/delivery-log.js';

const WAIT = { timeout: 30_000, interval: 50 };

describe('erasures that were interrupted', () => {
  let stage: ConfigStage;
  let dataSource: DataSource;
  let form: FormId;

  beforeAll(async () => {
    await emptyBroker(inject('rabbitmqUrl'));
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
    const probe = await Probe.open(inject('rabbitmqUrl'));
    const queue = parkedQueueOf(QUEUES.deliveries);
    for (const submission_id of ['s_one', 's_stuck', 's_other']) {
      const headers = { form_id: form, submission_id };
      await stage.broker.publisher.publish(toQueue(queue), { headers, body: Buffer.from('x') });
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
});
