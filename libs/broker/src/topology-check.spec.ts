import { describe, expect, it, vi } from 'vitest';
import type { BrokerLink, LinkStep, Session } from './connection/broker-link.js';
import { TopologyCheck } from './topology-check.js';

function stage(step: LinkStep) {
  const link = { name: 'spec', ready: true, run: (one: LinkStep) => one({} as Session) };
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const check = new TopologyCheck(link as unknown as BrokerLink, logger, 5, 10);
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

  it('says nothing of a connection that is away: that has a check of its own', async () => {
    const { check, link } = stage(() => new Promise<void>(() => undefined));
    link.ready = false;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(check.fine).toBe(true);
    check.stop();
  });
});
