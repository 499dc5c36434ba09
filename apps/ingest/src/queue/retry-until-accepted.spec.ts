import { IntakeHold, PublishFailed, QUEUES, TO_EVENTS } from '@form-webhooks/broker';
import type { EventId } from '@form-webhooks/domain';
import { createLogger } from '@form-webhooks/telemetry';
import { describe, expect, it, vi } from 'vitest';
import type { Acceptance } from '../accept/accept-event.js';
import { RetryUntilAccepted } from './retry-until-accepted.js';

const blocked = () => new PublishFailed('blocked', TO_EVENTS);
const ACCEPTED: Acceptance = { kind: 'accepted', eventId: 'evt_1' as EventId, acceptedAt: 0 };
const OURS = { isOurs: () => true };
const [paused, resumed] = ['pause ingest.form-events', 'resume ingest.form-events'];

describe('RetryUntilAccepted', () => {
  const make = (giveUpAfterMs = 60_000) => {
    const calls: string[] = [];
    const note = (what: string) => async (queue: string) => void calls.push(`${what} ${queue}`);
    const logger = createLogger({ app: 'test', level: 'silent' });
    const intake = new IntakeHold({ pause: note('pause'), resume: note('resume') }, [QUEUES.formEvents], logger);
    const retries = new RetryUntilAccepted(intake, { firstPauseMs: 1, longestPauseMs: 4, giveUpAfterMs });
    return { calls, intake, retries };
  };

  it('lets what works through without touching the intake', async () => {
    const { calls, retries } = make();
    expect(await retries.accept(OURS, () => Promise.resolve(ACCEPTED))).toBe(ACCEPTED);
    expect(calls).toEqual([]);
  });

  it('holds what can not be published, with the intake standing still, until it can', async () => {
    const { calls, retries } = make();
    const accept = vi
      .fn()
      .mockRejectedValueOnce(blocked())
      .mockImplementationOnce(() => {
        expect(calls).toEqual([paused]);
        return Promise.reject(blocked());
      })
      .mockResolvedValue(ACCEPTED);
    expect(await retries.accept(OURS, accept)).toBe(ACCEPTED);
    expect(accept).toHaveBeenCalledTimes(3);
    await vi.waitFor(() => expect(calls).toEqual([paused, resumed]));
  });

  it('lets other errors through at once, also in the middle of an outage', async () => {
    const { calls, retries } = make();
    await expect(retries.accept(OURS, () => Promise.reject(new TypeError('bug')))).rejects.toThrow('bug');
    expect(calls).toEqual([]);
    const accept = vi.fn().mockRejectedValueOnce(blocked()).mockRejectedValue(new TypeError('bug'));
    await expect(retries.accept(OURS, accept)).rejects.toThrow('bug');
    await vi.waitFor(() => expect(calls).toEqual([paused, resumed]));
  });

  it('does not accept again what the broker has taken back in the middle of an outage', async () => {
    const { calls, retries } = make();
    let ours = true;
    const accept = vi.fn(() => {
      ours = false;
      return Promise.reject(blocked());
    });
    expect(await retries.accept({ isOurs: () => ours }, accept)).toBeUndefined();
    expect(accept).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(calls).toEqual([paused, resumed]));
  });

  it('hands back what it held too long, and takes up the intake again', async () => {
    const { calls, retries } = make(10);
    await expect(retries.accept(OURS, () => Promise.reject(blocked()))).rejects.toThrow(PublishFailed);
    await vi.waitFor(() => expect(calls).toEqual([paused, resumed]));
  });

  it('hands everything back when the service stops, and leaves the intake standing', async () => {
    const { calls, intake, retries } = make();
    const held = [1, 2].map(() => retries.accept(OURS, () => Promise.reject(blocked())));
    intake.stop();
    for (const { status } of await Promise.allSettled(held)) expect(status).toBe('rejected');
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toEqual([paused]);
  });
});
