import { EXCHANGES, QUEUES } from '@form-webhooks/broker';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { brokerUrl, playCases } from '../support/broker-url.js';
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
vi.setConfig({ testTimeout: 400_000 });

interface Unbound {
  readonly exchange: string;
  readonly queue: string;
  readonly publisher: ServiceName;
}

/**
 * Played at the same time on services of their own: a queue waits up to half a minute for its owner to declare it again,
 * and a dispatcher whose records come back declares all of its queues at once.
 */
const CASES: readonly (readonly Unbound[])[] = [
  [
    { exchange: EXCHANGES.events, queue: QUEUES.events, publisher: 'ingest' },
    { exchange: EXCHANGES.deliveries, queue: QUEUES.deliveries, publisher: 'dispatcher' },
  ],
  [{ exchange: EXCHANGES.log, queue: QUEUES.deliveryLog, publisher: 'dispatcher' }],
];

let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
});

afterAll(async () => {
  await receiver?.stop();
});

/** All services, with one endpoint that takes everything. */
async function openStage(nth: number) {
  const stack = await Stack.start({ rabbitmqUrl: brokerUrl(nth) });
  const path = `/unbound-${nth}`;
  return {
    stack,
    open: async (): Promise<void> => {
      await stack.registerForm(FORM);
      await stack.createEndpoint(FORM, receiver.url(path, answer(200)));
    },
    statusOf: async (service: ServiceName): Promise<number> =>
      (await fetch(`${stack.service(service).healthUrl}/health/ready`)).status,
    received: (): ReadonlySet<string> =>
      new Set(
        receiver
          .received(path)
          .map(({ body }) => (JSON.parse(body.toString()) as { submission_id: string }).submission_id),
      ),
    post: async (submission: string): Promise<boolean> => {
      const text = `{"event":"submission.created","form_id":"${FORM}","submission_id":"${submission}","fields":{}}`;
      return (await stack.post(text)).status === 202;
    },
  };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

async function unbind(
  { statusOf, received, post }: Stage,
  { exchange, queue, publisher }: Unbound,
  { probe, log }: { readonly probe: Probe; readonly log: StackLog },
): Promise<void> {
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
    if (queue !== QUEUES.deliveries) await vi.waitFor(async () => expect(await statusOf(publisher)).toBe(503), NOTICED);
    const before = accepted.length;
    await vi.waitFor(() => expect(accepted.length).toBeGreaterThan(before + 10), HEALED);
  } finally {
    clearInterval(posting);
  }
  await vi.waitFor(() => expect(accepted.filter((submission) => !received().has(submission))).toEqual([]), HEALED);
  await vi.waitFor(async () => {
    expect(await log.idsWhere(FORM, `state = 'delivered'`)).toHaveLength(received().size);
  }, HEALED);
  await vi.waitFor(async () => expect(await statusOf(publisher)).toBe(200), HEALED);
}

async function unbindInTurn(queues: readonly Unbound[], nth: number): Promise<void> {
  const stage = await openStage(nth);
  try {
    await stage.open();
    const [probe, log] = [await Probe.open(brokerUrl(nth)), await StackLog.connect(stage.stack)];
    for (const queue of queues) await unbind(stage, queue, { probe, log });
    await log.close();
  } finally {
    await stage.stack.stop();
  }
}

it('a queue without its binding is bound again, and no event is lost, whichever queue it is', () =>
  playCases(CASES, unbindInTurn));
