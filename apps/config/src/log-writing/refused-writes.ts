import { LogRefused } from '@form-webhooks/storage';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Writes that the database refuses for a reason that nobody foresaw. Each is tried again by itself, beside all others,
 * until another record is written: that shows whose fault it is. The queue's prefetch bounds how many wait.
 */
export class RefusedWrites {
  private count = 0;

  constructor(
    private readonly pause: (ms: number) => Promise<void>,
    private readonly onRefused: (error: LogRefused) => void,
  ) {}

  /** How many wait. */
  get waiting(): number {
    return this.count;
  }

  /**
   * @param stopped the service stops: what is refused then is given back
   * @throws what the write throws, but for what is tried again
   */
  async retry<T>(write: () => Promise<T>, stopped: AbortSignal): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof LogRefused)) throw error;
      this.onRefused(error);
      this.count += 1;
      try {
        return await this.repeat(write, error, stopped);
      } finally {
        this.count -= 1;
      }
    }
  }

  private async repeat<T>(write: () => Promise<T>, first: LogRefused, stopped: AbortSignal): Promise<T> {
    let last = first;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await this.pause(pauseMs);
      if (stopped.aborted) throw last;
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof LogRefused)) throw error;
        last = error;
      }
    }
  }
}
