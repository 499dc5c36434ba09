import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { Broker, BrokerServer, QUEUES, rpcPattern } from '@form-webhooks/broker';
import type { FormEndpointsReply } from '@form-webhooks/messages';
import { brokerUrl } from '../support/broker-url.js';
import { testLogger } from '../support/broker.js';
import { sumOfSamples } from '../support/metrics/samples.js';
import { answer, Receiver } from '../support/receiver.js';
import { Stack } from '../support/stack.js';

const WAIT = { timeout: 60_000, interval: 100 };
const FORM = 'f_forged';

let stack: Stack;
let receiver: Receiver;
let broker: Broker;

beforeAll(async () => {
  receiver = await Receiver.start();
  stack = await Stack.start({ keptLines: 2_000 });
  broker = new Broker({ url: brokerUrl(), name: 'intruder', logger: testLogger });
  await broker.start();
  await broker.whenReady();
});

afterAll(async () => {
  await broker?.close();
  await stack?.stop();
  await receiver?.stop();
});

const eventOf = (submission: string): string =>
  `{"event":"submission.created","form_id":"${FORM}","submission_id":"${submission}","fields":{}}`;

const counted = (name: string, labels: Record<string, string> = {}): Promise<number> =>
  sumOfSamples([stack.service('dispatcher')], name, labels);

/** Answers in config's place, without the key ring: what config once said, with another URL. */
function intrude(genuine: FormEndpointsReply, url: string): BrokerServer {
  const server = new BrokerServer(broker);
  const endpoints = genuine.endpoints.map((endpoint) => ({ ...endpoint, url }));
  const forged = () => Promise.resolve({ ...genuine, endpoints, now: Date.now() });
  server.addHandler(rpcPattern(QUEUES.configRpc, 'form_endpoints'), forged, false);
  server.listen(() => undefined);
  return server;
}

it('who answers for config without the key ring sends no delivery elsewhere: it waits, counted and told once', async () => {
  await stack.registerForm(FORM);
  await stack.createEndpoint(FORM, receiver.url('/genuine', answer(200)));
  const evil = receiver.url('/evil', answer(200));
  expect((await stack.post(eventOf('s_before'))).status).toBe(202);
  await vi.waitFor(() => expect(receiver.received('/genuine')).toHaveLength(1), WAIT);
  const genuine = await broker.rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id: FORM }, 10_000);

  await stack.service('config').stop();
  const intruder = intrude(genuine, evil);
  await stack.service('dispatcher').stop();
  await stack.service('dispatcher').start();
  expect((await stack.post(eventOf('s_meanwhile'))).status).toBe(202);
  await vi.waitFor(async () => {
    expect(await counted('webhook_form_answers_refused_total')).toBeGreaterThan(1);
    expect(await counted('webhook_events_total', { outcome: 'waiting' })).toBeGreaterThan(0);
  }, WAIT);
  const told = (): number => stack.service('dispatcher').output.split('not from a config with our key ring').length - 1;
  await vi.waitFor(() => expect(told()).toBe(1), WAIT);

  await intruder.close();
  await stack.service('config').start();
  await vi.waitFor(() => expect(receiver.received('/genuine')).toHaveLength(2), WAIT);
  expect(receiver.received('/evil')).toEqual([]);
});

it('a delivery whose secret was changed in the database waits and says why, and goes out with the next secret', async () => {
  const form = 'f_tampered';
  await stack.registerForm(form);
  const { id } = await stack.createEndpoint(form, receiver.url('/tampered', answer(200)));
  const database = new pg.Client(stack.service('config').env['DATABASE_URL']);
  await database.connect();
  onTestFinished(() => database.end());
  await database.query(
    'UPDATE endpoint_secrets SET sealed = overlay(sealed placing $2 from length(sealed) - 5 for 2) WHERE endpoint_id = $1',
    [id, 'AA'],
  );
  expect((await stack.post(eventOf('s_1').replace(FORM, form))).status).toBe(202);
  const log = async (): Promise<unknown[]> =>
    ((await stack.api('GET', `/v1/forms/${form}/deliveries`)).body as { items: unknown[] }).items;
  const waiting = { state: 'pending', attempt_count: 0, waits_for: 'secret_unreadable' };
  await vi.waitFor(async () => expect(await log()).toMatchObject([waiting]), WAIT);
  expect(await counted('webhook_deferrals_total', { why: 'secret_unreadable' })).toBeGreaterThan(0);
  const told = 'a signing secret or the value of a header does not open';
  await vi.waitFor(() => expect(stack.service('dispatcher').output).toContain(told), WAIT);

  await stack.api('POST', `/v1/forms/${form}/endpoints/${id}/secret/regenerate`, {});
  const delivered = { state: 'delivered', attempt_count: 1, waits_for: null };
  await vi.waitFor(async () => expect(await log()).toMatchObject([delivered]), WAIT);
  expect(receiver.received('/tampered')).toHaveLength(1);
});
