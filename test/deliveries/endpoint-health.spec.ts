import { TO_LOG } from '@form-webhooks/broker';
import { deriveDeliveryId, randomEventId, type EndpointId, type FormId } from '@form-webhooks/domain';
import { encodeLogBatch, type DeliveryRecord, type LogRecord } from '@form-webhooks/messages';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigStage } from '../support/config/config-stage.js';
import { anAttempt, anEvent, aStep } from '../support/config/delivery-log.js';
import { openDatabase } from '../support/config/config-database.js';

const NEVER = {
  last_attempt_at: null,
  last_outcome: null,
  last_response_status: null,
  last_error: null,
  failing_since: null,
  consecutive_failures: 0,
  success_rate: null,
  attempts: 0,
  latency_ms: { p50: null, p95: null, p99: null },
  waiting: 0,
  next_attempt_at: null,
};

describe('the health of endpoints', () => {
  let stage: ConfigStage;
  let form: FormId;
  let endpoint: EndpointId;
  let now: number;

  beforeAll(async () => {
    stage = await ConfigStage.open();
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    form = (await stage.form('ws_one')) as FormId;
    endpoint = await endpointAt('https://a.example.com');
    now = Date.now();
  });

  const endpointAt = async (url: string) =>
    (await stage.call('POST', `/v1/forms/${form}/endpoints`, { body: { url } })).body.id as EndpointId;
  const health = async (query = '') => (await stage.call('GET', `/v1/forms/${form}/endpoint-health${query}`)).body;
  const record = (...records: LogRecord[]) =>
    stage.broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch(records) });
  const delivery = (step: Partial<DeliveryRecord>): LogRecord[] => {
    const eventId = randomEventId();
    const deliveries = [{ endpointId: endpoint, deliveryId: deriveDeliveryId(eventId, endpoint) }];
    const event = anEvent({ formId: form, eventId, deliveries, acceptedAt: now - 1_000 });
    return [event, aStep(event, step)];
  };
  const failed = (startedAt: number) =>
    anAttempt({ startedAt, outcome: 'retry', response: null, error: { code: 'timeout', message: 'No answer.' } });

  it('is unknown of one that was never sent anything', async () => {
    const other = await endpointAt('https://b.example.com');
    expect(await health()).toEqual({ items: [endpoint, other].map((endpoint_id) => ({ endpoint_id, ...NEVER })) });
  });

  it('says what fails since when, what waits, and when it is tried again', async () => {
    await record(
      ...delivery({ attempt: anAttempt({ startedAt: now - 900, durationMs: 40 }) }),
      ...delivery({ state: 'retrying', attempt: failed(now - 800), nextAttemptAt: now + 60_000 }),
      ...delivery({ state: 'retrying', attempt: failed(now - 700), nextAttemptAt: now + 30_000 }),
    );
    await vi.waitFor(async () => expect((await health()).items[0].attempts).toBe(3), 20_000);
    expect((await health(`?endpoint_id=${endpoint}`)).items).toEqual([
      {
        endpoint_id: endpoint,
        last_attempt_at: new Date(now - 700).toISOString(),
        last_outcome: 'retry',
        last_response_status: null,
        last_error: 'timeout',
        failing_since: new Date(now - 800).toISOString(),
        consecutive_failures: 2,
        success_rate: 1 / 3,
        attempts: 3,
        latency_ms: { p50: expect.any(Number), p95: expect.any(Number), p99: expect.any(Number) },
        waiting: 2,
        next_attempt_at: new Date(now + 30_000).toISOString(),
      },
    ]);
  });

  it('is well again after a success', async () => {
    await record(...delivery({ state: 'retrying', attempt: failed(now - 800), nextAttemptAt: now + 60_000 }));
    await record(...delivery({ attempt: anAttempt({ startedAt: now - 500 }) }));
    await vi.waitFor(async () => expect((await health()).items[0].last_outcome).toBe('delivered'), 20_000);
    expect((await health()).items[0]).toMatchObject({
      last_attempt_at: new Date(now - 500).toISOString(),
      last_error: null,
      failing_since: null,
      consecutive_failures: 0,
      waiting: 1,
    });
  });

  it('is not told of endpoints that are not the form’s', async () => {
    const elsewhere = await stage.form('ws_one');
    const answer = await stage.call('GET', `/v1/forms/${elsewhere}/endpoint-health?endpoint_id=${endpoint}`);
    expect(answer.status).toBe(404);
  });

  it('finds the next attempt in an index, however many deliveries wait', async () => {
    await record(...delivery({ state: 'retrying', attempt: failed(now - 800), nextAttemptAt: now + 60_000 }));
    await vi.waitFor(async () => expect((await health()).items[0].waiting).toBe(1), 20_000);
    const database = await openDatabase(stage.databaseUrl);
    const plan: { 'QUERY PLAN': string }[] = await database.transaction(async (tx) => {
      await tx.query('SET LOCAL enable_seqscan = off');
      return tx.query(
        `EXPLAIN SELECT next_attempt_at FROM deliveries WHERE endpoint_id = $1 AND state IN ('pending', 'retrying')
         AND next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT 1`,
        [endpoint],
      );
    });
    await database.destroy();
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('endpoint_id_next_attempt_at');
    expect(text).not.toContain('Sort  ');
  });
});
