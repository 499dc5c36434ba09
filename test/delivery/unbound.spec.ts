import { EXCHANGES, QUEUES } from '@form-webhooks/broker';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { Probe } from '../support/broker.js';
import { answer, Receiver } from '../support/receiver.js';
import { Stack, type ServiceName } from '../support/stack.js';
import { StackLog } from '../support/stack-log.js';

/*
 * Somebody unbinds a queue while events flow. The messages that it would have taken come back, and nothing else tells.
 */

const FORM = 'f_unbound';
const NOTICED = { timeout: 30_000, interval: 25 };
const HEALED = { timeout: 60_000, interval: 100 };
vi.setConfig({ testTimeout: 180_000 });

let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  stack = await Stack.start();
  await stack.registerForm(FORM);
  await stack.createEndpoint(FORM, receiver.url('/unbound', answer(200)));
});

afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
});

const cases: readonly { readonly exchange: string; readonly queue: string; readonly publisher: ServiceName }[] = [
  { exchange: EXCHANGES.events, queue: QUEUES.events, publisher: 'ingest' },
  { exchange: EXCHANGES.deliveries, queue: QUEUES.deliveries, publisher: 'dispatcher' },
  { exchange: EXCHANGES.log, queue: QUEUES.deliveryLog, publisher: 'dispatcher' },
];

const statusOf = async (service: ServiceName): Promise<number> =>
  (await fetch(`http://127.0.0.1:${stack.service(service).healthPort}/health/ready`)).status;

const received = (): ReadonlySet<string> =>
  new Set(
    receiver
      .received('/unbound')
      .map(({ body }) => (JSON.parse(body.toString()) as { submission_id: string }).submission_id),
  );

async function post(submission: string): Promise<boolean> {
  const text = `{"event":"submission.created","form_id":"${FORM}","submission_id":"${submission}","fields":{}}`;
  return (await stack.post(text)).status === 202;
}

it.each(cases)(
  '$queue without its binding is bound again, and no event is lost',
  async ({ exchange, queue, publisher }) => {
    const probe = await Probe.open(brokerUrl());
    await post(`s_${publisher}_first_${queue}`);
    await vi.waitFor(async () => expect(await statusOf(publisher)).toBe(200), HEALED);
    const accepted: string[] = [];
    const posting = setInterval(() => {
      const submission = `s_${queue.replaceAll('.', '_')}_${Date.now()}`;
      void post(submission).then((taken) => taken && accepted.push(submission));
    }, 100);
    try {
      await vi.waitFor(() => expect(accepted.length).toBeGreaterThan(5), HEALED);
      await probe.channel.unbindQueue(queue, exchange, '#');
      // The dispatcher's own is bound again before anybody could look.
      if (queue !== QUEUES.deliveries)
        await vi.waitFor(async () => expect(await statusOf(publisher)).toBe(503), NOTICED);
      const before = accepted.length;
      await vi.waitFor(() => expect(accepted.length).toBeGreaterThan(before + 10), HEALED);
    } finally {
      clearInterval(posting);
    }
    await vi.waitFor(() => expect(accepted.filter((submission) => !received().has(submission))).toEqual([]), HEALED);
    const log = await StackLog.open(stack);
    await vi.waitFor(async () => {
      expect(await log.idsWhere(FORM, `state = 'delivered'`)).toHaveLength(received().size);
    }, HEALED);
    await vi.waitFor(async () => expect(await statusOf(publisher)).toBe(200), HEALED);
  },
);
