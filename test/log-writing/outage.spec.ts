import { QUEUES, TO_LOG } from '@form-webhooks/broker';
import { encodeLogBatch } from '@form-webhooks/messages';
import { connect, type Channel, type ChannelModel } from 'amqplib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { emptyBroker, startBroker } from '../support/broker.js';
import { migratedDatabase, type OwnDatabase } from '../support/config/config-database.js';
import { startableService, type StartableConfig } from '../support/config/config-stage.js';
import { CuttableProxy } from '../support/network/cuttable-proxy.js';
import { anEvent, aStep } from '../support/config/delivery-log.js';
import { sampleOf } from '../support/metrics/samples.js';

describe('while the database is away', () => {
  let service: StartableConfig;
  let database: OwnDatabase;
  let proxy: CuttableProxy;
  let proxied: string;
  let healthUrl: string;
  let client: pg.Client;
  let connection: ChannelModel;
  let channel: Channel;

  beforeAll(async () => {
    // What other files left in the queue would be counted with this one's.
    await emptyBroker(brokerUrl());
    database = await migratedDatabase();
    proxy = new CuttableProxy(new URL(database.url));
    proxied = await proxy.open();
    service = startableService(proxied, { LOG_PREFETCH: '5' });
    ({ healthUrl } = await service.start());
    client = new pg.Client(database.url);
    await client.connect();
    connection = await connect(brokerUrl());
    channel = await connection.createChannel();
  });
  afterAll(async () => {
    await channel.close();
    await connection.close();
    await service.stop();
    await client.end();
    await proxy.cut();
    await database.drop();
  });

  const logged = async (): Promise<unknown> =>
    (await client.query('SELECT state, attempt_count, count(*)::int FROM deliveries GROUP BY 1, 2')).rows;
  const queue = () => channel.checkQueue(QUEUES.deliveryLog);
  /** The value of a series without its labels of the app. */
  const metric = async (series: string): Promise<number> => {
    const text = await (await fetch(`${healthUrl}/metrics`)).text();
    const line = text.split('\n').find((one) =>
      one
        .replace(/,?app="config"/, '')
        .replace('{}', '')
        .startsWith(`${series} `),
    );
    return line === undefined ? NaN : Number(line.slice(line.lastIndexOf(' ') + 1));
  };
  const parked = async () => (await channel.checkQueue(`${QUEUES.deliveryLog}.parked`)).messageCount;

  it('records wait in the broker, none of them handed back, and are all written after it', async () => {
    const broker = await startBroker(brokerUrl());
    const send = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const event = anEvent();
        for (const record of [event, aStep(event)]) {
          await broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch([record]) });
        }
      }
    };
    await send(3);
    await vi.waitFor(
      async () => expect(await logged()).toEqual([{ state: 'delivered', attempt_count: 1, count: 3 }]),
      10_000,
    );

    expect(await metric('config_log_failures_total{why="unavailable"}')).toBe(0);
    const isHeld = () => sampleOf(healthUrl, 'broker_intake_held', { reason: 'the delivery log can not be written' });
    await proxy.cut();
    await send(20);
    await vi.waitFor(async () => expect(await isHeld()).toBe(1), 30_000);
    // Up to five are held, unsettled; the others never left the queue.
    await vi.waitFor(async () => expect((await queue()).messageCount).toBeGreaterThanOrEqual(35), 30_000);
    // A message that is on its way to a consumer while that is cancelled comes back by itself, once.
    const first = await channel.get(QUEUES.deliveryLog);
    if (!first) throw new Error('the queue is empty');
    expect(first.properties.headers?.['x-delivery-count'] ?? 0).toBeLessThanOrEqual(1);
    channel.nack(first);

    await proxy.mend();
    await vi.waitFor(
      async () => expect(await logged()).toEqual([{ state: 'delivered', attempt_count: 1, count: 23 }]),
      30_000,
    );
    await vi.waitFor(async () => expect(await queue()).toMatchObject({ messageCount: 0, consumerCount: 1 }), 30_000);
    expect(await isHeld()).toBe(0);
    expect(await parked()).toBe(0);
    // Config asks the broker of all queues each ten seconds, those of other services included.
    const counted = () => sampleOf(healthUrl, 'broker_queue_messages', { queue: `${QUEUES.deliveryLog}.parked` });
    await vi.waitFor(async () => expect(await counted()).toBe(0), 30_000);
    expect(await metric('config_log_failures_total{why="unavailable"}')).toBeGreaterThan(0);
    // Counted once a batch is committed, when its rows can be seen already.
    await vi.waitFor(async () => expect(await metric('config_log_records_total{outcome="written"}')).toBe(46), 30_000);
    expect(await metric('config_log_batch_records_sum')).toBe(46);
    expect(await metric('config_log_lag_seconds_count')).toBe(await metric('config_log_batch_records_count'));
  });

  it('a message that can not be read, or not be written, is parked with its reason', async () => {
    const broker = await startBroker(brokerUrl());
    const sound = anEvent();
    const ancient = anEvent({ acceptedAt: Date.now() - 90 * 86_400_000 });
    await broker.publisher.publish(TO_LOG, { headers: {}, body: Buffer.from('{"no": "batch"}') });
    await broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch([sound, ancient]) });
    await vi.waitFor(async () => expect(await parked()).toBe(2), 30_000);
    await vi.waitFor(async () => expect(await metric('config_log_records_total{outcome="parked"}')).toBe(1), 30_000);
    const reasons: unknown[] = [];
    for (let i = 0; i < 2; i++) {
      const message = await channel.get(`${QUEUES.deliveryLog}.parked`, { noAck: true });
      reasons.push(message && message.properties.headers?.['parked_reason']);
    }
    expect(reasons.toSorted()).toEqual([
      'a log batch is shorter than its index',
      expect.stringMatching(new RegExp(`^record of ${ancient.eventId}: accepted on`)),
    ]);
    const stored = await client.query('SELECT 1 FROM events WHERE event_id = $1', [sound.eventId]);
    expect(stored.rows).toHaveLength(1);
  });

  it('a service that is told to stop stops, and the broker keeps what it held', async () => {
    const broker = await startBroker(brokerUrl());
    await proxy.cut();
    const event = anEvent();
    await broker.publisher.publish(TO_LOG, { headers: {}, body: encodeLogBatch([event, aStep(event)]) });
    await vi.waitFor(async () => expect((await queue()).messageCount).toBe(0), 30_000);
    const began = Date.now();
    await service.stop();
    expect(Date.now() - began).toBeLessThan(25_000);
    await vi.waitFor(async () => expect((await queue()).messageCount).toBe(1), 30_000);
    await proxy.mend();
    service = startableService(proxied, {});
    await service.start();
    await vi.waitFor(async () => expect((await queue()).messageCount).toBe(0), 30_000);
    await vi.waitFor(async () => {
      const stored = await client.query('SELECT 1 FROM deliveries WHERE event_id = $1', [event.eventId]);
      expect(stored.rows).toHaveLength(1);
    }, 30_000);
  });
});
