import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { deliveryHeaders } from '@form-webhooks/messages';
import { QUEUES } from '@form-webhooks/broker';
import { ConfigStage, startableService } from '../support/config/config-stage.js';
import { Probe } from '../support/broker.js';
import { aDeliveryMessage } from '../support/config/config-messages.js';

describe('the outbox', () => {
  let stage: ConfigStage;
  let client: pg.Client;

  beforeAll(async () => {
    stage = await ConfigStage.open();
    client = new pg.Client({ connectionString: stage.databaseUrl });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await stage.close();
  });

  const waiting = async () => Number((await client.query('SELECT count(*) FROM outbox')).rows[0].count);

  it('is empty again when a change has been announced', async () => {
    await stage.form('ws_one');
    await vi.waitFor(async () => expect(await waiting()).toBe(0), 20_000);
  });

  it('delivers what a crash left behind, once though two replicas look for it', async () => {
    const second = startableService(stage.databaseUrl);
    await second.start();
    const probe = await Probe.open(brokerUrl());
    await probe.channel.purgeQueue(QUEUES.deliveries);
    const messages = Array.from({ length: 200 }, (_, i) => aDeliveryMessage(i));
    for (const message of messages) {
      await client.query('INSERT INTO outbox (kind, headers, body) VALUES ($1, $2, $3)', [
        'delivery',
        deliveryHeaders(message),
        message.tail,
      ]);
    }
    await vi.waitFor(async () => expect(await waiting()).toBe(0), 20_000);
    const got = await probe.collect(QUEUES.deliveries);
    await vi.waitFor(() => expect(got.length).toBeGreaterThanOrEqual(messages.length), 20_000);
    await second.stop();
    const ids = got.map((message) => message.properties.headers!['delivery_id'] as string);
    expect(ids.toSorted()).toEqual(messages.map((message) => message.deliveryId).toSorted());
    const first = got.find((message) => message.properties.headers!['delivery_id'] === messages[0]!.deliveryId)!;
    expect(first.content).toEqual(messages[0]!.tail);
    expect(first.properties.headers).toMatchObject(deliveryHeaders(messages[0]!));
    expect(first.properties.deliveryMode).toBe(2);
  });
});
