import { PublishFailed, TO_EVENTS } from '@form-webhooks/broker';
import { createLogger } from '@form-webhooks/telemetry';
import { describe, expect, it, vi } from 'vitest';
import { Intake } from './intake.js';
import { Patience } from './patience.js';

class RecordingIntake extends Intake {
  readonly calls: string[] = [];
  override async pause(): Promise<void> {
    this.calls.push('pause');
  }
  override async resume(): Promise<void> {
    this.calls.push('resume');
  }
}

const blocked = () => new PublishFailed('blocked', TO_EVENTS);

describe('Patience', () => {
  const make = (holdMs = 60_000) => {
    const intake = new RecordingIntake();
    const logger = createLogger({ app: 'test', level: 'silent' });
    return { intake, patience: new Patience(intake, logger, { firstPauseMs: 1, longestPauseMs: 4, holdMs }) };
  };

  it('lets what works through without touching the intake', async () => {
    const { intake, patience } = make();
    expect(await patience.through(() => Promise.resolve(7))).toBe(7);
    expect(intake.calls).toEqual([]);
  });

  it('holds what can not be published, with the intake standing still, until it can', async () => {
    const { intake, patience } = make();
    const act = vi.fn().mockRejectedValueOnce(blocked()).mockRejectedValueOnce(blocked()).mockResolvedValue('done');
    expect(await patience.through(act)).toBe('done');
    expect(act).toHaveBeenCalledTimes(3);
    expect(intake.calls).toEqual(['pause', 'resume']);
  });

  it('lets other errors through at once, also in the middle of an outage', async () => {
    const { intake, patience } = make();
    await expect(patience.through(() => Promise.reject(new TypeError('bug')))).rejects.toThrow('bug');
    const act = vi.fn().mockRejectedValueOnce(blocked()).mockRejectedValue(new TypeError('bug'));
    await expect(patience.through(act)).rejects.toThrow('bug');
    expect(intake.calls).toEqual(['pause', 'resume']);
  });

  it('hands back what it held too long, and takes up the intake again', async () => {
    const { intake, patience } = make(10);
    await expect(patience.through(() => Promise.reject(blocked()))).rejects.toThrow(PublishFailed);
    expect(intake.calls).toEqual(['pause', 'resume']);
  });

  it('hands everything back when the service stops, and leaves the intake standing', async () => {
    const { intake, patience } = make();
    const held = [1, 2].map(() => patience.through(() => Promise.reject(blocked())));
    patience.stop();
    for (const { status } of await Promise.allSettled(held)) expect(status).toBe('rejected');
    expect(intake.calls).toEqual(['pause', 'pause']);
  });
});
