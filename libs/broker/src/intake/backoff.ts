import { setTimeout as delay } from 'node:timers/promises';

export interface BackoffLimits {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** Pauses of which each is twice as long as the one before, up to a bound. Whoever asks while one lasts shares it. */
export class Backoff {
  private nextMs: number;
  private current: Promise<void> | undefined;

  /** @param cut ends the pauses early */
  constructor(
    private readonly limits: BackoffLimits,
    private readonly cut: AbortSignal,
  ) {
    this.nextMs = limits.firstPauseMs;
  }

  pause(): Promise<void> {
    this.current ??= this.wait().finally(() => (this.current = undefined));
    return this.current;
  }

  /** The next pause is a first one again. */
  reset(): void {
    this.nextMs = this.limits.firstPauseMs;
  }

  private async wait(): Promise<void> {
    const ms = Math.min(this.nextMs, this.limits.longestPauseMs);
    this.nextMs = 2 * ms;
    // It rejects only when it is cut.
    await delay(ms, undefined, { signal: this.cut }).catch(() => undefined);
  }
}
