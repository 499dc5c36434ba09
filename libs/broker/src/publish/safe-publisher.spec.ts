import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BrokerLink, LinkStep, Session } from '../connection/broker-link.js';
import { toQueue } from '../destinations.js';
import { QUEUES } from '../queue-names.js';
import { DEFAULT_PUBLISHER_LIMITS, type PublisherLimits } from './publisher-limits.js';
import { SafePublisher } from './safe-publisher.js';

const CONFIRM_MS = 30_000;
const MESSAGE = { headers: {}, body: Buffer.from('x') };

/** A broker that confirms when the test says so, and a publisher that has one message unconfirmed at a time. */
async function stage(limits: Partial<PublisherLimits> = {}) {
  const confirms: ((error?: Error) => void)[] = [];
  const publish = (...given: unknown[]): void => void confirms.push(given.at(-1) as () => void);
  const drop = vi.fn();
  const openConfirmChannel = async () => Object.assign(new EventEmitter(), { publish });
  const session = { drop, openConfirmChannel, writes: { expect: () => undefined } };
  const steps: LinkStep[] = [];
  const addStep = (step: LinkStep) => void steps.push(step);
  const link = { isCluster: false, ready: true, blocked: false, addStep };
  const publisher = new SafePublisher(link as unknown as BrokerLink, {
    ...DEFAULT_PUBLISHER_LIMITS,
    confirmTimeoutMs: CONFIRM_MS,
    maxUnconfirmed: 1,
    ...limits,
  });
  for (const step of steps) await step(session as unknown as Session);
  const ended: Record<string, string> = {};
  const told: unknown[] = [];
  publisher.watch((_ms, failure) => told.push(failure));
  const start = (name: string, how: 'publish' | 'publishPatiently' = 'publish', queue = 'q'): void =>
    void publisher[how](toQueue(queue), MESSAGE).then(
      () => (ended[name] = 'confirmed'),
      (error: { readonly code: string }) => (ended[name] = error.code),
    );
  return { publisher, link, confirms, ended, told, start, drop };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('a publish that waits for its turn', () => {
  it('is given up after as long as a confirm may take, and told apart from one that was not confirmed', async () => {
    const { ended, told, start, confirms, publisher } = await stage();
    start('sent', 'publishPatiently');
    start('waiting');
    await vi.advanceTimersByTimeAsync(CONFIRM_MS - 1_000);
    expect(ended).toEqual({});
    await vi.advanceTimersByTimeAsync(1_500);
    expect(ended).toEqual({ waiting: 'no_turn' });
    expect(told).toEqual(['no_turn']);
    expect(confirms).toHaveLength(1);
    publisher.stop();
  });

  it('gets it from one that is given up at the same time', async () => {
    const { ended, start, confirms, publisher } = await stage();
    start('sent');
    start('waiting');
    await vi.advanceTimersByTimeAsync(CONFIRM_MS + 500);
    expect(ended).toEqual({ sent: 'timeout' });
    confirms[1]!();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toEqual({ sent: 'timeout', waiting: 'confirmed' });
    publisher.stop();
  });

  it('is told of when the connection ends', async () => {
    const { ended, told, start, publisher } = await stage();
    start('sent');
    start('waiting');
    publisher.stop();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toEqual({ sent: 'disconnected', waiting: 'disconnected' });
    expect(told).toEqual(['disconnected', 'disconnected']);
  });

  it('has the whole time for its confirm once its turn has come, however late', async () => {
    const { ended, start, confirms, publisher } = await stage();
    start('sent');
    await vi.advanceTimersByTimeAsync(1_000);
    start('waiting');
    await vi.advanceTimersByTimeAsync(CONFIRM_MS - 500);
    expect([ended, confirms.length]).toEqual([{ sent: 'timeout' }, 2]);
    await vi.advanceTimersByTimeAsync(CONFIRM_MS - 1_000);
    expect(ended).toEqual({ sent: 'timeout' });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(ended).toEqual({ sent: 'timeout', waiting: 'timeout' });
    publisher.stop();
  });

  it('waits on through an alarm, as those do that were sent, and for as long after it', async () => {
    const { link, ended, start, confirms, publisher } = await stage({ waitsWhileBlocked: true });
    start('sent');
    start('waiting');
    link.blocked = true;
    await vi.advanceTimersByTimeAsync(10 * CONFIRM_MS);
    link.blocked = false;
    await vi.advanceTimersByTimeAsync(CONFIRM_MS - 1_000);
    expect(ended).toEqual({});
    confirms[0]!();
    confirms[1]!();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toEqual({ sent: 'confirmed', waiting: 'confirmed' });
    publisher.stop();
  });

  it('is given up in an alarm where nobody waits for its end', async () => {
    const { link, ended, start, publisher } = await stage();
    start('sent');
    start('waiting');
    link.blocked = true;
    await vi.advanceTimersByTimeAsync(CONFIRM_MS + 500);
    expect(ended).toEqual({ sent: 'timeout', waiting: 'no_turn' });
    publisher.stop();
  });

  it('is sent only after an alarm: the broker reads nothing meanwhile', async () => {
    const { link, ended, start, confirms, publisher } = await stage();
    start('sent');
    await vi.advanceTimersByTimeAsync(1_000);
    start('waiting');
    link.blocked = true;
    await vi.advanceTimersByTimeAsync(CONFIRM_MS - 500);
    expect([ended, confirms.length]).toEqual([{ sent: 'timeout' }, 1]);
    link.blocked = false;
    await vi.advanceTimersByTimeAsync(250);
    confirms[1]!();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toEqual({ sent: 'timeout', waiting: 'confirmed' });
    publisher.stop();
  });

  it('does not count the time in which the process stood still', async () => {
    const { ended, start, confirms, publisher } = await stage();
    start('sent');
    start('waiting');
    // One sweep, as late as a process that stood still makes it.
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 2 * CONFIRM_MS);
    await vi.advanceTimersByTimeAsync(250);
    expect(ended).toEqual({});
    confirms[0]!();
    confirms[1]!();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toEqual({ sent: 'confirmed', waiting: 'confirmed' });
    publisher.stop();
  });
});

it('publishes nothing on a connection that is still being set up, or is given up: an alarm would stop the set-up', async () => {
  const { publisher, link, confirms, ended, start } = await stage({ maxUnconfirmed: 100 });
  link.ready = false;
  start('too early');
  await vi.advanceTimersByTimeAsync(0);
  expect([publisher.available, confirms.length, ended]).toEqual([false, 0, { 'too early': 'disconnected' }]);
  link.ready = true;
  start('sent');
  expect([publisher.available, confirms.length]).toEqual([true, 1]);
  publisher.stop();
});

it('gets another channel where a queue refuses everything for longer than it needs for another leader', async () => {
  const { publisher, confirms, start, drop, ended } = await stage({ maxUnconfirmed: 100 });
  const refuse = async (name: string): Promise<void> => {
    start(name, 'publish', QUEUES.events);
    confirms.at(-1)!(new Error('message nacked'));
    await vi.advanceTimersByTimeAsync(1_000);
  };
  for (const name of ['a', 'b', 'c']) await refuse(name);
  expect([ended, drop.mock.calls.length]).toEqual([{ a: 'nacked', b: 'nacked', c: 'nacked' }, 0]);
  expect(publisher.routable).toBe(true);
  await refuse('d');
  expect(drop).toHaveBeenCalledTimes(1);
  expect(publisher.routable).toBe(false);
  publisher.stop();
});
