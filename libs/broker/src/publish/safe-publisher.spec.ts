import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BrokerLink, LinkStep, Session } from '../connection/broker-link.js';
import { toQueue } from '../topology.js';
import { DEFAULT_PUBLISHER_LIMITS, SafePublisher, type PublisherLimits } from './safe-publisher.js';

const CONFIRM_MS = 30_000;
const MESSAGE = { headers: {}, body: Buffer.from('x') };

/** A broker that confirms when the test says so, and a publisher that has one message unconfirmed at a time. */
async function stage(limits: Partial<PublisherLimits> = {}) {
  const confirms: (() => void)[] = [];
  const publish = (...given: unknown[]): void => void confirms.push(given.at(-1) as () => void);
  const session = { openConfirmChannel: async () => Object.assign(new EventEmitter(), { publish }) };
  const steps: LinkStep[] = [];
  const link = { isCluster: false, blocked: false, addStep: (step: LinkStep) => void steps.push(step) };
  const publisher = new SafePublisher(link as unknown as BrokerLink, {
    ...DEFAULT_PUBLISHER_LIMITS,
    confirmTimeoutMs: CONFIRM_MS,
    maxUnconfirmed: 1,
    ...limits,
  });
  for (const step of steps) await step(session as unknown as Session);
  const ended: Record<string, string> = {};
  const start = (name: string): void =>
    void publisher.publish(toQueue('q'), MESSAGE).then(
      () => (ended[name] = 'confirmed'),
      (error: { readonly code: string }) => (ended[name] = error.code),
    );
  return { publisher, link, confirms, ended, start };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('a publish that waits for its turn', () => {
  it('is told apart from one that was not confirmed, and is not given up before that one', async () => {
    const { ended, start, publisher } = await stage();
    start('sent');
    start('waiting');
    await vi.advanceTimersByTimeAsync(CONFIRM_MS - 1_000);
    expect(ended).toEqual({});
    await vi.advanceTimersByTimeAsync(1_500);
    expect(ended).toEqual({ sent: 'timeout', waiting: 'no_turn' });
    publisher.stop();
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
