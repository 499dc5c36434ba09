import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { PublishFailed } from '@form-webhooks/broker';
import type { Logger } from '@form-webhooks/telemetry';
import type { Intake } from './intake.js';

export interface PatienceLimits {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** After this a message is handed back, well before the broker's `consumer_timeout` (30 min) takes it, ms. */
  readonly holdMs: number;
}

export const DEFAULT_PATIENCE: PatienceLimits = { firstPauseMs: 100, longestPauseMs: 5_000, holdMs: 20 * 60_000 };

/**
 * Gets what a message needs done through an outage of the broker: the message is held and the intake stands still, so
 * that nothing is nacked in a loop and no more is held than the prefetch. What was started runs again until it
 * succeeds.
 */
export class Patience {
  private readonly stopping = new AbortController();
  private holding = 0;

  constructor(
    private readonly intake: Intake,
    private readonly logger: Logger,
    private readonly limits: PatienceLimits = DEFAULT_PATIENCE,
  ) {
    // As many wait on it as messages are held; Node would take more than ten for a leak.
    setMaxListeners(0, this.stopping.signal);
  }

  /** @throws PublishFailed when the service stops or the message was held too long: it is handed back then */
  async through<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof PublishFailed)) throw error;
      return this.hold(act, error);
    }
  }

  /** Hands back all that is held. */
  stop(): void {
    this.stopping.abort();
  }

  private async hold<T>(act: () => Promise<T>, failure: PublishFailed): Promise<T> {
    if (this.holding++ === 0)
      this.logger.warn({ err: failure }, 'events can not be published; the intake stands still');
    try {
      await this.intake.pause();
      return await this.repeat(act, failure);
    } finally {
      this.holding--;
      if (!this.stopping.signal.aborted) await this.intake.resume();
    }
  }

  private async repeat<T>(act: () => Promise<T>, failure: PublishFailed): Promise<T> {
    const { firstPauseMs, longestPauseMs, holdMs } = this.limits;
    const startedAt = performance.now();
    let last = failure;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      await delay(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted || performance.now() - startedAt > holdMs) throw last;
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof PublishFailed)) throw error;
        last = error;
      }
    }
  }
}
