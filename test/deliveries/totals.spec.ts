import { randomEndpointId } from '@form-webhooks/domain';
import { countMatching, isSummed, retainedDays, sumMatching, type DataSource } from '@form-webhooks/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anEvent, aStep, FORM, logDatabase, logWriter } from '../support/config/delivery-log.js';

const HOUR_MS = 3_600_000;

describe('totals of the delivery log', () => {
  let dataSource: DataSource;
  let drop: () => Promise<void>;
  const endpointId = randomEndpointId();
  const now = Date.now();

  beforeAll(async () => {
    ({ dataSource, drop } = await logDatabase());
    const records = Array.from({ length: 12 }, (_, n) => {
      const acceptedAt = now - n * HOUR_MS;
      const event = anEvent({
        acceptedAt,
        deliveries: [{ endpointId, deliveryId: anEvent().deliveries[0]!.deliveryId }],
      });
      return [event, aStep(event, n % 3 === 0 ? { state: 'failed', reason: 'exhausted' } : {})];
    });
    await logWriter(dataSource).write(records.flat());
  });
  afterAll(() => drop());

  const count = (limit: number) => countMatching(dataSource.manager, FORM, {}, retainedDays(now, 30), limit);
  const sum = (filter: Parameters<typeof sumMatching>[2]) => sumMatching(dataSource.manager, FORM, filter);

  it('are counted one by one up to a limit', async () => {
    expect([await count(12), await count(100), await count(5)]).toEqual([12, 12, 6]);
  });

  it('come from the hourly counts where these know the conditions', async () => {
    expect(await sum({})).toBe(12);
    expect(await sum({ states: ['failed'], endpointId })).toBe(4);
    expect(await sum({ from: now - 5 * HOUR_MS, to: now - 2 * HOUR_MS }), 'whole hours').toBe(4);
    expect(await sum({ endpointId: randomEndpointId() })).toBe(0);
  });

  it('do not come from there where they know nothing of a condition', () => {
    expect(isSummed({ endpointId, states: ['failed'], from: 0, to: now })).toBe(true);
    expect([isSummed({ error: 'timeout' }), isSummed({ states: ['failed'], triggers: ['replay'] })]).toEqual([
      false,
      false,
    ]);
  });
});
