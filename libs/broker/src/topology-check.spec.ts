import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { BrokerLink, LinkStep, Session } from './connection/broker-link.js';
import { TopologyCheck } from './topology-check.js';

function stage(step: LinkStep, everyMs = 5) {
  const link = { name: 'spec', ready: true, losses: 0, run: (one: LinkStep) => one({} as Session) };
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const check = new TopologyCheck(link as unknown as BrokerLink, logger, everyMs, 10);
  check.addStep(step);
  check.start();
  return { check, link, logger };
}

describe('the check of what a service declares', () => {
  it('fails while the broker does not answer, as where a queue has lost its majority, and ends with its answer', async () => {
    let answer = (): void => undefined;
    let isSilent = true;
    const step = vi.fn(() => (isSilent ? new Promise<void>((resolve) => (answer = resolve)) : Promise.resolve()));
    const { check, logger } = stage(step);
    expect(check.fine).toBe(true);
    await vi.waitFor(() => expect(check.fine).toBe(false));
    expect(step, 'one question at a time').toHaveBeenCalledOnce();
    isSilent = false;
    answer();
    await vi.waitFor(() => expect(check.fine).toBe(true));
    expect(logger.error).toHaveBeenCalledOnce();
    check.stop();
  });

  it('is forgotten with the connection on which it failed: everything was declared anew on the next', async () => {
    let failNow = (_: Error): void => undefined;
    const step = vi.fn(() => new Promise<void>((_, reject) => (failNow = reject)));
    const { check, link, logger } = stage(step);
    await vi.waitFor(() => expect(check.fine).toBe(false));
    link.losses += 1;
    expect(check.fine).toBe(true);
    failNow(new Error('its channel was closed'));
    await vi.waitFor(() => expect(step).toHaveBeenCalledTimes(2));
    expect(logger.error).not.toHaveBeenCalledWith(expect.anything(), 'exchanges, queues or bindings are missing');
    await vi.waitFor(() => expect(check.fine, 'the next does not answer either').toBe(false));
    check.stop();
  });

  it('says nothing of a connection that is away: that has a check of its own', async () => {
    const { check, link } = stage(() => new Promise<void>(() => undefined));
    link.ready = false;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(check.fine).toBe(true);
    check.stop();
  });

  it('looks sooner while something is missing, so that nobody stays unready long after it is back, and tells no oftener', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let isMissing = true;
    const step = vi.fn(() => (isMissing ? Promise.reject(new Error('it is not there yet')) : Promise.resolve()));
    const { check, logger } = stage(step, 30_000);
    check.hurry();
    await vi.advanceTimersByTimeAsync(0);
    expect([step.mock.calls.length, check.fine]).toEqual([1, false]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([step.mock.calls.length, check.fine]).toEqual([3, false]);
    isMissing = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect([step.mock.calls.length, check.fine]).toEqual([4, true]);
    expect(logger.error).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(29_000);
    expect(step).toHaveBeenCalledTimes(4);
    check.stop();
  });
});
