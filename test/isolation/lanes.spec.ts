import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { answer, Receiver, type Behaviour } from '../support/receiver.js';
import { Stack } from '../support/stack.js';

const FLOOD = 300;
/** What does not find a turn in time waits on a delay of up to a minute. */
const WAIT = { timeout: 150_000, interval: 50 };
vi.setConfig({ testTimeout: 200_000 });

let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  const env = { DISPATCHER_CONCURRENCY: '20', ENDPOINT_MAX_IN_FLIGHT: '10', FORM_RATE: '1', FORM_BURST: '5' };
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

const submissionsOf = (path: string): string[] =>
  receiver.received(path).map(({ body }) => /"submission_id":"(s_\d+)"/.exec(body.toString())![1]!);

it('delivers the events of other forms while one form’s flood waits, and all of the flood in the end', async () => {
  await endpoint('flood', later(300));
  await endpoint('other');
  for (let n = 0; n < FLOOD; n += 20) await Promise.all(Array.from({ length: 20 }, (_, i) => post('flood', n + i)));
  for (let n = 0; n < 5; n++) await post('other', n);
  await vi.waitFor(() => expect(receiver.received('/other')).toHaveLength(5), WAIT);
  // At ten a time and 300 ms each the flood takes nine seconds; what came after it waited for a small part.
  expect(receiver.received('/flood').length).toBeLessThan(FLOOD / 2);
  await vi.waitFor(() => expect(new Set(submissionsOf('/flood')).size).toBe(FLOOD), WAIT);
});

it('delivers what is larger than a message of the other lanes may be, byte for byte', async () => {
  await endpoint('large');
  const fields = `{"text":"${'ł'.repeat(100_000)}"}`;
  await post('large', 1, fields);
  await vi.waitFor(() => expect(receiver.received('/large')).toHaveLength(1), WAIT);
  expect(receiver.received('/large')[0]!.body.includes(fields)).toBe(true);
});
