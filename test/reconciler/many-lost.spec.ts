import { deriveDeliveryId, randomEndpointId, randomEventId } from '@form-webhooks/domain';
import {
  findOverdue,
  lastListed,
  listLost,
  removeFromOutbox,
  republishLost,
  takeOldest,
  type DataSource,
} from '@form-webhooks/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anEvent, logDatabase, logWriter } from '../support/config/delivery-log.js';

/* What a broker lost that lost everything: found and put in the outbox in parts, none of which is held as a whole. */

const EVENTS = 300;
const ENDPOINTS = 10;
const LOST = EVENTS * ENDPOINTS;
const CHUNK = 700;
const DAY_MS = 86_400_000;

let dataSource: DataSource;
let drop: () => Promise<void>;
beforeAll(async () => ({ dataSource, drop } = await logDatabase()));
afterAll(() => drop());

async function losses(): Promise<string[]> {
  const endpoints = Array.from({ length: ENDPOINTS }, () => randomEndpointId());
  const events = Array.from({ length: EVENTS }, (_, n) => {
    const eventId = randomEventId();
    const deliveries = endpoints.map((endpointId) => ({
      endpointId,
      deliveryId: deriveDeliveryId(eventId, endpointId),
    }));
    return anEvent({ eventId, acceptedAt: Date.now() - (n % 2) * DAY_MS - 3_600_000, deliveries });
  });
  await logWriter(dataSource).write(events);
  await dataSource.query(
    `INSERT INTO reconciliations (id, phase, began_at, phase_at) VALUES ('rec_1', 'rest', now(), now())`,
  );
  return events.flatMap(({ deliveries }) => deliveries.map(({ deliveryId }) => deliveryId)).sort();
}

describe('very many lost deliveries', () => {
  it('are listed part by part, each once, and put in the outbox with their payloads', async () => {
    const ids = await losses();
    const now = new Date();
    for (let found = CHUNK; found === CHUNK;) {
      const chunk = await findOverdue(dataSource.manager, now, CHUNK, await lastListed(dataSource.manager, 'rec_1'));
      if (chunk.length > 0) await dataSource.transaction((tx) => listLost(tx, 'rec_1', chunk));
      found = chunk.length;
    }
    const listed = await dataSource.query<{ id: string }[]>('SELECT delivery_id AS id FROM reconciliation_items');
    expect(listed.map(({ id }) => id).sort()).toEqual(ids);
    expect(await dataSource.query('SELECT lost FROM reconciliations')).toEqual([{ lost: LOST }]);

    const batch = { size: 500, dueBefore: now, tooOldBefore: new Date(now.getTime() - 2 * DAY_MS), at: now };
    let republished = 0;
    for (let last = false; !last;) {
      const done = await dataSource.transaction((tx) => republishLost(tx, 'rec_1', batch));
      expect(done).toMatchObject({ expired: 0, erased: 0, withoutPayload: 0 });
      ({ last } = done);
      republished += done.republished;
    }
    expect(republished).toBe(LOST);
    const sent: string[] = [];
    for (
      let rows = await takeOldest(dataSource.manager);
      rows.length > 0;
      rows = await takeOldest(dataSource.manager)
    ) {
      for (const { headers, body } of rows) {
        sent.push(String(headers['delivery_id']));
        expect(headers['republished_by']).toBe('rec_1');
        expect(body.length).toBeGreaterThan(10);
      }
      await removeFromOutbox(
        dataSource.manager,
        rows.map(({ id }) => id),
      );
    }
    expect(sent.sort()).toEqual(ids);
  });
});
