import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { createDataSource } from '@form-webhooks/storage';
import { brokerUrl } from '../support/broker-url.js';
import { emptyBroker } from '../support/broker.js';
import { databaseWithDays } from '../support/config/config-database.js';
import { answer, Receiver } from '../support/receiver.js';
import { Stack } from '../support/stack.js';
import { openTlsFront, type TlsFront } from '../support/network/tls-front.js';

const WAIT = { timeout: 60_000, interval: 100 };
const FORM = 'f_tls';

const cleanUps: (() => Promise<unknown>)[] = [];
let receiver: Receiver;
let broker: TlsFront;
let database: TlsFront;

const cleanedUp = async <T>(opened: T, close: (opened: T) => Promise<unknown>): Promise<T> => {
  cleanUps.push(() => close(opened));
  return opened;
};

beforeAll(async () => {
  receiver = await cleanedUp(await Receiver.start(), (one) => one.stop());
  const own = await cleanedUp(await databaseWithDays(), (one) => one.drop());
  broker = await cleanedUp(await openTlsFront(brokerUrl(), 'tls'), (one) => one.close());
  database = await cleanedUp(await openTlsFront(own.url, 'postgres'), (one) => one.close());
  await emptyBroker(brokerUrl());
});

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** As a caller of the API behind a proxy that ends TLS. */
const statusOverTls = (front: string, path: string, key: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const options = { ca: readFileSync(inject('caFile')), headers: { authorization: `Bearer ${key}` } };
    const call = get(new URL(path, front), options, (response) => resolve(response.resume().statusCode));
    call.once('error', reject);
  });

const databaseUrl = (): string => database.url('postgresql', { sslmode: 'verify-full', sslrootcert: inject('caFile') });

it('delivers with every connection to broker and database over TLS, verified by a file of authorities', async () => {
  const stack = await Stack.start({
    rabbitmqUrl: brokerUrl(),
    databaseUrl: databaseUrl(),
    env: { RABBITMQ_URL: broker.url('amqps', { cacertfile: inject('caFile') }) },
  });
  try {
    await stack.registerForm(FORM);
    await stack.createEndpoint(FORM, receiver.url('/tls', answer(200)));
    const event = `{"event":"submission.created","form_id":"${FORM}","submission_id":"s_1","fields":{}}`;
    expect((await stack.post(event)).status).toBe(202);
    await vi.waitFor(() => expect(receiver.received('/tls')).toHaveLength(1), WAIT);
    await vi.waitFor(async () => {
      const { body } = await stack.api('GET', `/v1/forms/${FORM}/deliveries`);
      expect((body as { items: unknown[] }).items).toMatchObject([{ state: 'delivered' }]);
    }, WAIT);
    const api = await cleanedUp(await openTlsFront(stack.configUrl, 'tls'), (one) => one.close());
    const path = `/v1/forms/${FORM}/endpoints`;
    expect(await statusOverTls(api.url('https', {}), path, stack.adminKey)).toBe(200);
    expect(broker.secured).toBeGreaterThanOrEqual(6);
    expect(database.secured).toBeGreaterThan(0);
  } finally {
    await stack.stop();
  }
});

it('talks to no database whose certificate nobody vouches for, nor in the clear when TLS was asked for', async () => {
  const connecting = (url: string): Promise<unknown> =>
    createDataSource({
      url,
      applicationName: 'test',
      poolSize: 2,
      statementTimeoutMs: 1_000,
      onIdleError: () => undefined,
    }).initialize();
  await expect(connecting(database.url('postgresql', { sslmode: 'verify-full' }))).rejects.toThrow(/certificate/);
  await expect(connecting(`${inject('databaseUrl')}?sslmode=verify-full`)).rejects.toThrow(/SSL/);
});
