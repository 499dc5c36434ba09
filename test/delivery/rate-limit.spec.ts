import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sampleOf } from '../support/metrics/samples.js';
import { answer, Receiver } from '../support/receiver.js';
import { StackLog } from '../support/stack-log.js';
import { Stack, type ServiceProcess } from '../support/stack.js';

const WAIT = { timeout: 60_000, interval: 50 };
const RATE = 5;
const EVENTS = 50;
/** Between an attempt's turn and its start as it is logged, ms: a busy machine. */
const JITTER_MS = 400;
vi.setConfig({ testTimeout: 120_000 });

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

/** The most that began within a second. */
const mostInASecond = (at: readonly number[]): number =>
  Math.max(...at.map((from) => at.filter((one) => one >= from && one <= from + 1_000).length));

/**
 * A form with two endpoints, of which one has a highest rate; all its events come at once.
 * @returns when the attempts of each began, by the log: a receiver that stands still has several at the same time
 */
async function flood(form: string): Promise<{ limited: readonly number[]; free: readonly number[] }> {
  await stack.registerForm(form);
  const limits = { rate_limit: RATE };
  const limited = await stack.createEndpoint(form, receiver.url(`/${form}/limited`, answer(200)), limits);
  const free = await stack.createEndpoint(form, receiver.url(`/${form}/free`, answer(200)));
  const posts = Array.from({ length: EVENTS }, (_, n) =>
    stack.post(JSON.stringify({ event: 'submission.created', form_id: form, submission_id: `s_${n}`, fields: {} })),
  );
  for (const { status } of await Promise.all(posts)) expect(status).toBe(202);
  const log = await StackLog.open(stack);
  const startsOf = (endpoint: { readonly id: string }): Promise<readonly number[]> =>
    vi.waitFor(async () => {
      const starts = await log.attemptStartsOf(endpoint.id);
      expect(starts).toHaveLength(EVENTS);
      return starts;
    }, WAIT);
  return { free: await startsOf(free), limited: await startsOf(limited) };
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
    const { limited, free } = await flood('f_rate');
    const tookMs = limited.at(-1)! - limited[0]!;
    expect(tookMs).toBeGreaterThan(((EVENTS - 1) / RATE) * 1_000 - JITTER_MS);
    expect(tookMs).toBeLessThan(40_000);
    expect(mostInASecond(limited)).toBeLessThanOrEqual(RATE + 1 + 2);
    expect(free.at(-1)!).toBeLessThan(limited.at(-1)! - 2_000);
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
