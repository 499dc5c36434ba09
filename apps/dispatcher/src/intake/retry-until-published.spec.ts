import { IntakeHold, PublishFailed, TO_DELIVERIES } from '@form-webhooks/broker';
import { createLogger } from '@form-webhooks/telemetry';
import { describe, expect, it, vi } from 'vitest';
import { RetryUntilPublished } from './retry-until-published.js';

const OURS = { isOurs: () => true };

function make() {
  const consumers = { pause: vi.fn(() => Promise.resolve()), resume: vi.fn(() => Promise.resolve()) };
  const logger = createLogger({ app: 'test', level: 'silent' });
  const intake = new IntakeHold(consumers, ['queue'], logger);
  return { consumers, intake, retries: new RetryUntilPublished(intake, logger) };
}

describe('RetryUntilPublished', () => {
  it('publishes until the broker confirms, and lets no new work begin before that', async () => {
    const { consumers, intake, retries } = make();
    const happened: string[] = [];
    const publish = vi
      .fn()
      .mockRejectedValueOnce(new PublishFailed('nacked', TO_DELIVERIES))
      .mockImplementation(async () => {
        happened.push('confirmed');
        return 'where it waits';
      });
    const published = retries.untilConfirmed(publish);
    await vi.waitFor(() => expect(consumers.pause).toHaveBeenCalled(), { interval: 1 });
    const begun = intake.whenWorkMayBegin(OURS).then(() => happened.push('begun'));
    expect(await published).toBe('where it waits');
    await begun;
    expect(happened).toEqual(['confirmed', 'begun']);
    await vi.waitFor(() => expect(consumers.resume).toHaveBeenCalledTimes(1), { interval: 1 });
  });

  it('throws a bug, and goes on with the work', async () => {
    const { intake, retries } = make();
    const publish = vi
      .fn()
      .mockRejectedValueOnce(new PublishFailed('timeout', TO_DELIVERIES))
      .mockRejectedValue(new TypeError('bug'));
    await expect(retries.untilConfirmed(publish)).rejects.toThrow('bug');
    expect(await intake.whenWorkMayBegin(OURS)).toBe(true);
  });
});
