import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { answer, inTurn, Receiver, type Behaviour } from '../support/receiver.js';
import { Stack } from '../support/stack.js';

const ENDPOINTS = 20;
const EVENTS = 25;
/** Of an event's only field, which makes its body about as large as one may be. */
const BYTES = 1_000_000;
const ANSWERS_AFTER_MS = 3_000;
const MOST_MIB = 250;
/** Enough of the five hundred for all that may be in hand to be in hand, and to fall due again. */
const SOME_DELIVERIES = 30;
const WAIT = { timeout: 60_000, interval: 100 };
vi.setConfig({ testTimeout: 90_000 });

let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  stack = await Stack.start({ env: { NODE_OPTIONS: '--max-old-space-size=256', RETRY_SCHEDULE: '1s' } });
});

afterAll(async () => {
  // First: a stop of the dispatcher waits for its attempts, which take three seconds each.
  await receiver?.stop();
  await stack?.stop();
});

const later: Behaviour = (response, request, nth) =>
  void setTimeout(() => answer(200)(response, request, nth), ANSWERS_AFTER_MS);

async function post(formId: string, n: number): Promise<void> {
  const fields = `{"text":"${'x'.repeat(BYTES)}"}`;
  const text = `{"event":"submission.created","form_id":"${formId}","submission_id":"s_${n}","fields":${fields}}`;
  expect((await stack.post(text)).status).toBe(202);
}

/** The most memory that a process has had so far, MiB. */
function peakOf(name: 'dispatcher' | 'ingest'): number {
  const status = readFileSync(`/proc/${stack.service(name).pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)![1]) / 1_024;
}

it('a large body is tried again, byte for byte', async () => {
  await stack.registerForm('f_again');
  await stack.createEndpoint('f_again', receiver.url('/again', inTurn(answer(503), answer(200))));
  await post('f_again', 1);
  await vi.waitFor(() => expect(receiver.received('/again')).toHaveLength(2), WAIT);
  const [first, second] = receiver.received('/again').map(({ body }) => body.toString());
  const withoutTime = (text: string): string => text.replace(/"timestamp":[^,]+,/, '');
  expect(withoutTime(second!)).toBe(withoutTime(first!));
});

it('25 events of a MiB to 20 endpoints that answer after 3 s take a dispatcher less than 250 MiB', async () => {
  await stack.registerForm('f_large');
  const paths = Array.from({ length: ENDPOINTS }, (_, n) => `/large${n}`);
  for (const path of paths) await stack.createEndpoint('f_large', receiver.url(path, later));
  for (let n = 0; n < EVENTS; n++) await post('f_large', n);
  const seen = (): number => paths.flatMap((path) => receiver.received(path)).length;
  await vi.waitFor(() => expect(seen()).toBeGreaterThanOrEqual(SOME_DELIVERIES), WAIT);
  expect(peakOf('dispatcher')).toBeLessThan(MOST_MIB);
  expect(peakOf('ingest')).toBeLessThan(MOST_MIB);
});
