import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sampleOf } from '../support/metrics/samples.js';
import { answer, Receiver } from '../support/receiver.js';
import { Stack, type ServiceProcess } from '../support/stack.js';

const WAIT = { timeout: 60_000, interval: 50 };
const RATE = 5;
const EVENTS = 50;
/** Between a start of an attempt and the receiver's note of it, ms: a busy machine. */
const JITTER_MS = 400;

let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  stack = await Stack.start();
});

afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
});

const arrivals = (path: string): number[] => receiver.received(path).map(({ at }) => at);

/** The most that came within a second and the jitter. */
const mostInASecond = (at: readonly number[]): number =>
  Math.max(...at.map((from) => at.filter((one) => one >= from && one <= from + 1_000).length));

/** A form with two endpoints, of which one has a highest rate; all its events come at once. */
async function flood(form: string): Promise<{ limited: number[]; free: number[]; began: number }> {
  await stack.registerForm(form);
  await stack.createEndpoint(form, receiver.url(`/${form}/limited`, answer(200)), { rate_limit: RATE });
  await stack.createEndpoint(form, receiver.url(`/${form}/free`, answer(200)));
  const began = Date.now();
  const posts = Array.from({ length: EVENTS }, (_, n) =>
    stack.post(JSON.stringify({ event: 'submission.created', form_id: form, submission_id: `s_${n}`, fields: {} })),
  );
  for (const { status } of await Promise.all(posts)) expect(status).toBe(202);
  await vi.waitFor(() => expect(arrivals(`/${form}/free`)).toHaveLength(EVENTS), WAIT);
  await vi.waitFor(() => expect(arrivals(`/${form}/limited`)).toHaveLength(EVENTS), WAIT);
  return { limited: arrivals(`/${form}/limited`), free: arrivals(`/${form}/free`), began };
}

async function expectDeliveredAtTheFirstTry(form: string): Promise<void> {
  await vi.waitFor(async () => {
    const { body } = await stack.api('GET', `/v1/forms/${form}/deliveries?limit=100`);
    expect(body.items).toHaveLength(2 * EVENTS);
    for (const one of body.items) expect(one).toMatchObject({ state: 'delivered', attempt_count: 1, waits_for: null });
  }, WAIT);
}

const counted = ({ healthUrl }: ServiceProcess): Promise<number> => sampleOf(healthUrl, 'webhook_dispatchers');

describe('an endpoint that is to get five events a second, and gets fifty at once', () => {
  it('gets them evenly over ten seconds, each at its first try, while another of its form gets them at once', async () => {
    const { limited, free, began } = await flood('f_rate');
    const tookMs = limited.at(-1)! - limited[0]!;
    expect(tookMs).toBeGreaterThan(((EVENTS - 1) / RATE) * 1_000 - JITTER_MS);
    expect(tookMs).toBeLessThan(40_000);
    expect(mostInASecond(limited)).toBeLessThanOrEqual(RATE + 1 + 2);
    expect(free.at(-1)! - began).toBeLessThan(limited.at(-1)! - began - 4_000);
    await expectDeliveredAtTheFirstTry('f_rate');
  });

  it('gets no more of them from two dispatchers', async () => {
    const first = stack.service('dispatcher');
    const second = await stack.add('dispatcher', first.env);
    await vi.waitFor(async () => expect([await counted(first), await counted(second)]).toEqual([2, 2]), WAIT);
    const { limited } = await flood('f_rate_shared');
    expect(limited.at(-1)! - limited[0]!).toBeGreaterThan(((EVENTS - 2) / RATE) * 1_000 - 1_000);
    expect(mostInASecond(limited)).toBeLessThanOrEqual(RATE + 2 + 2);
    await expectDeliveredAtTheFirstTry('f_rate_shared');
    await second.stop();
    await vi.waitFor(async () => expect(await counted(first)).toBe(1), WAIT);
  });
});
