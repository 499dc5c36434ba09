import { parkedQueueOf, QUEUES, TO_LOG } from '@form-webhooks/broker';
import { encodeLogBatch, type LogRecord } from '@form-webhooks/messages';
import type { FormId } from '@form-webhooks/domain';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { emptyBroker, Probe, startBroker } from '../support/broker.js';
import { migratedDatabase, type OwnDatabase } from '../support/config/config-database.js';
import { startableService, type StartableConfig } from '../support/config/config-stage.js';
import { anEvent, aStep } from '../support/config/delivery-log.js';
import { sampleOf } from '../support/metrics/samples.js';

const WAIT = { timeout: 30_000, interval: 50 };
/** Refusals that nobody foresaw: of a trigger, of rights, of what isn't built, of the server itself. */
const STATES = ['P0001', '42501', '42P01', '0A000', '55000', '2D000', 'XX000', 'ZZ999'];
/** A form's name is its records' refusal. */
const REFUSE = `
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.form_id LIKE 'f_refuse_%' THEN
      RAISE EXCEPTION 'refused' USING ERRCODE = substr(NEW.form_id, 10);
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER refuse BEFORE INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION refuse();`;

describe('a record that the database refuses for a reason that nobody foresaw', () => {
  let database: OwnDatabase;
  let service: StartableConfig;
  let client: pg.Client;
  let healthUrl: string;

  beforeAll(async () => {
    await emptyBroker(brokerUrl());
    database = await migratedDatabase();
    service = startableService(database.url);
    ({ healthUrl } = await service.start());
    client = new pg.Client(database.url);
    await client.connect();
    await client.query(REFUSE);
  });
  afterAll(async () => {
    await service.stop();
    await client.end();
    await database.drop();
  });

  const written = async (): Promise<number> => (await client.query('SELECT 1 FROM deliveries')).rowCount!;
  const refusedBy = (state: string): LogRecord[] => {
    const event = anEvent({ formId: `f_refuse_${state}` as FormId });
    return [event, aStep(event)];
  };
  const sound = (): LogRecord[] => {
    const event = anEvent();
    return [event, aStep(event)];
  };

  it('delays no other record, and is parked alone once others have been written', { timeout: 120_000 }, async () => {
    const broker = await startBroker(brokerUrl());
    const probe = await Probe.open(brokerUrl());
    const send = (records: LogRecord[]) =>
      broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch(records) });
    const parked = await probe.collect(parkedQueueOf(QUEUES.deliveryLog));
    // Each with a sound one in the same message, and among others.
    for (const state of STATES) await Promise.all([send(sound()), send([...refusedBy(state), ...sound()])]);
    await vi.waitFor(async () => expect(await written()).toBe(2 * STATES.length), WAIT);
    await vi.waitFor(() => expect(parked).toHaveLength(STATES.length), WAIT);
    const reasons = parked.map(({ properties }) => String(properties.headers?.['parked_reason']));
    for (const state of STATES) expect(reasons.filter((reason) => reason.includes(state))).toHaveLength(1);
    const consumers = async () => (await probe.channel.checkQueue(QUEUES.deliveryLog)).consumerCount;
    await vi.waitFor(async () => expect(await consumers()).toBe(1), WAIT);
    const settled = { queue: QUEUES.deliveryLog, settlement: 'parked' };
    const messages = () => sampleOf(healthUrl, 'broker_messages_total', settled);
    await vi.waitFor(async () => expect(await messages()).toBe(STATES.length), WAIT);
    expect(await sampleOf(healthUrl, 'config_log_records_total', { outcome: 'parked' })).toBeGreaterThan(0);
  });

  it('waits by itself while nothing else comes, in a service that stays ready', { timeout: 120_000 }, async () => {
    const broker = await startBroker(brokerUrl());
    const probe = await Probe.open(brokerUrl());
    const before = await written();
    const parked = await probe.collect(parkedQueueOf(QUEUES.deliveryLog));
    await broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch(refusedBy('P0001')) });
    const metrics = async () => (await fetch(`${healthUrl}/metrics`)).text();
    const refusals = async () => Number(/config_log_failures_total\{.*"refused".*\} (\d+)/.exec(await metrics())?.[1]);
    const first = await refusals();
    await vi.waitFor(async () => expect(await refusals()).toBeGreaterThan(first + 4), WAIT);
    expect(parked).toEqual([]);
    expect((await fetch(`${healthUrl}/health/ready`)).status).toBe(200);
    await broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch(sound()) });
    await vi.waitFor(async () => expect(await written()).toBe(before + 1), WAIT);
    await vi.waitFor(() => expect(parked).toHaveLength(1), WAIT);
  });
});
