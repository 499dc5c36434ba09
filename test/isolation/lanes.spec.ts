import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sumOfSamples } from '../support/metrics/samples.js';
import { answer, Receiver, type Behaviour } from '../support/receiver.js';
import { Stack } from '../support/stack.js';

const FLOOD = 300;
const AT_A_TIME = 10;
const ANSWERS_AFTER_MS = 300;
/** What the endpoint of the flood needs if it is never without work. */
const FLOOD_MS = (FLOOD / AT_A_TIME) * ANSWERS_AFTER_MS;
const WAIT = { timeout: 60_000, interval: 50 };
vi.setConfig({ testTimeout: 90_000 });

let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  const env = {
    DISPATCHER_CONCURRENCY: '20',
    ENDPOINT_MAX_IN_FLIGHT: String(AT_A_TIME),
    FORM_RATE: '1',
    FORM_BURST: '5',
  };
  stack = await Stack.start({ env });
});

afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
});

const later =
  (ms: number): Behaviour =>
  (response, request, nth) =>
    void setTimeout(() => answer(200)(response, request, nth), ms);

async function endpoint(name: string, behaviour?: Behaviour): Promise<void> {
  await stack.registerForm(`f_${name}`);
  await stack.createEndpoint(`f_${name}`, receiver.url(`/${name}`, behaviour));
}

async function post(name: string, n: number, fields = '{}'): Promise<void> {
  const text = `{"event":"submission.created","form_id":"f_${name}","submission_id":"s_${n}","fields":${fields}}`;
  expect((await stack.post(text)).status).toBe(202);
}

/** Deliveries that were put off so far. */
const deferrals = (): Promise<number> => sumOfSamples([stack.service('dispatcher')], 'webhook_deferrals_total');

const submissionsOf = (path: string): string[] =>
  receiver.received(path).map(({ body }) => /"submission_id":"(s_\d+)"/.exec(body.toString())![1]!);

it('delivers the events of other forms while one form’s flood waits, and all of the flood in the end', async () => {
  await endpoint('flood', later(ANSWERS_AFTER_MS));
  await endpoint('other');
  for (let n = 0; n < FLOOD; n += 20) await Promise.all(Array.from({ length: 20 }, (_, i) => post('flood', n + i)));
  // A slow machine takes as long for the posts as the receiver for much of the flood.
  const before = receiver.received('/flood').length;
  for (let n = 0; n < 5; n++) await post('other', n);
  await vi.waitFor(() => expect(receiver.received('/other')).toHaveLength(5), WAIT);
  // What came after the flood waited for a small part of it.
  const meanwhile = receiver.received('/flood').length;
  expect(meanwhile - before).toBeLessThan(FLOOD / 2);
  expect(meanwhile, 'the flood goes on').toBeLessThan(FLOOD);
  await vi.waitFor(() => expect(new Set(submissionsOf('/flood')).size).toBe(FLOOD), WAIT);
  const times = receiver.received('/flood').map(({ at }) => at);
  // It waited in its lane, and went round by no delay but for what a busy machine makes late.
  expect(times.at(-1)! - times[0]!).toBeLessThan(6 * FLOOD_MS);
  expect(await deferrals()).toBeLessThan(FLOOD / 10);
});

it('delivers what is larger than a message of the other lanes may be, byte for byte', async () => {
  await endpoint('large');
  const fields = `{"text":"${'ł'.repeat(100_000)}"}`;
  await post('large', 1, fields);
  await vi.waitFor(() => expect(receiver.received('/large')).toHaveLength(1), WAIT);
  expect(receiver.received('/large')[0]!.body.includes(fields)).toBe(true);
});
