import { randomEndpointId } from '@form-webhooks/domain';
import type { DeliveryRecord, EventRecord } from '@form-webhooks/messages';
import { findFailing, readFailures, type DataSource, type DeliveryLogWriter } from '@form-webhooks/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anAttempt, anEvent, aStep, logDatabase, logWriter } from '../support/config/delivery-log.js';

const REFUSED = { status: 503, headers: {}, excerpt: '', truncated: false };
const T = Date.now() - 60_000;

describe('the failures of an endpoint', () => {
  let dataSource: DataSource;
  let drop: () => Promise<void>;
  let writer: DeliveryLogWriter;
  let endpointId = randomEndpointId();

  beforeAll(async () => {
    ({ dataSource, drop } = await logDatabase());
    writer = logWriter(dataSource);
  });
  afterAll(() => drop());
  beforeEach(() => {
    endpointId = randomEndpointId();
  });

  const attempted = (
    startedAt: number,
    outcome: 'delivered' | 'retry' | 'failed',
    given: Partial<DeliveryRecord> = {},
  ) => {
    const deliveryId = anEvent().deliveries[0]!.deliveryId;
    const event: EventRecord = anEvent({ deliveries: [{ endpointId, deliveryId }] });
    const response = outcome === 'delivered' ? { ...REFUSED, status: 200 } : REFUSED;
    const attempt = anAttempt({ startedAt, outcome, response });
    const state = outcome === 'retry' ? 'retrying' : outcome;
    return [event, aStep(event, { state, attempt, ...given })];
  };
  const failing = async () => (await findFailing(dataSource.manager, [endpointId]))[0];

  it('are counted from the first one after a success, over all batches', async () => {
    await writer.write([...attempted(T, 'retry'), ...attempted(T + 1, 'delivered'), ...attempted(T + 2, 'retry')]);
    await writer.write([...attempted(T + 3, 'failed')]);
    expect(await failing()).toMatchObject({
      consecutive: 2,
      since: new Date(T + 2),
      lastFailedAt: new Date(T + 3),
      lastOutcome: 'failed',
      lastStatus: 503,
      lastError: null,
    });
  });

  it('end with a success, and begin anew', async () => {
    await writer.write(attempted(T, 'retry'));
    await writer.write(attempted(T + 1, 'delivered'));
    expect(await failing()).toBeUndefined();
    await writer.write(attempted(T + 2, 'retry'));
    expect(await failing()).toMatchObject({ consecutive: 1, since: new Date(T + 2) });
  });

  it('are the same when batches overtake each other', async () => {
    await writer.write(attempted(T + 5, 'retry'));
    await writer.write(attempted(T + 2, 'delivered'));
    expect(await failing(), 'an earlier success ends nothing').toMatchObject({ consecutive: 1 });
    await writer.write(attempted(T + 9, 'delivered'));
    await writer.write(attempted(T + 7, 'retry'));
    expect(await failing(), 'a failure before the success is over').toBeUndefined();
  });

  it('count once, however often their record comes', async () => {
    const records = attempted(T, 'retry');
    await writer.write(records);
    await writer.write(records);
    expect(await failing()).toMatchObject({ consecutive: 1 });
  });

  it('are counted by their cause: the class of a status, or the error because of which none came', async () => {
    const error = { code: 'timeout', message: 'no answer' } as const;
    const records = [...attempted(T, 'retry'), ...attempted(T + 1, 'failed'), ...attempted(T + 2, 'delivered')];
    const silent = attempted(T + 3, 'retry', {
      attempt: anAttempt({ startedAt: T + 3, outcome: 'retry', response: null, error }),
    });
    const tested = attempted(T + 4, 'failed', { trigger: 'test' });
    await writer.write([...records, ...silent, ...tested]);
    await writer.write(records);
    const range = { from: T - 3_600_000, to: T + 3_600_000, starts: [T - 7_200_000] };
    const counted = (await readFailures(dataSource.manager, anEvent().formId, range)).filter(
      (one) => one.endpointId === endpointId,
    );
    expect(counted.map(({ cause, attempts }) => [cause, attempts]).sort()).toEqual([
      ['5xx', 2],
      ['timeout', 1],
    ]);
  });

  it('are not those of test sends', async () => {
    await writer.write(attempted(T, 'failed', { trigger: 'test' }));
    expect(await failing()).toBeUndefined();
  });

  it('write nothing for an endpoint that never failed', async () => {
    await writer.write(attempted(T, 'delivered'));
    expect(await dataSource.query('SELECT 1 FROM endpoint_failures WHERE endpoint_id = $1', [endpointId])).toEqual([]);
  });
});
