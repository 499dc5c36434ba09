import { setTimeout as delay } from 'node:timers/promises';
import { PublishFailed } from '@form-webhooks/broker';
import type { Logger } from '@form-webhooks/telemetry';
import type { FlowGate } from './flow-gate.js';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
const UNCONFIRMED = 'the broker does not confirm';

/**
 * Publishes again until the broker has confirmed. What follows from an attempt must become safe however long that
 * takes: giving up would mean a second POST of something that is settled. Meanwhile no new work is begun, so what is
 * held is bounded by what was in flight.
 */
export class ConfirmedPublisher {
  private failing = 0;

  constructor(
    private readonly gate: FlowGate,
    private readonly logger: Logger,
  ) {}

  /** Resolves once `publish` did. Anything but a `PublishFailed` is a bug and is thrown. */
  async untilConfirmed<T>(publish: () => Promise<T>): Promise<T> {
    for (let pauseMs = FIRST_PAUSE_MS, failed = false; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        const result = await publish();
        if (failed) this.recovered();
        return result;
      } catch (error) {
        if (!(error instanceof PublishFailed)) {
          if (failed) this.recovered();
          throw error;
        }
        if (!failed) this.failed(error);
        failed = true;
        await delay(pauseMs);
      }
    }
  }

  private failed(error: PublishFailed): void {
    this.failing += 1;
    this.logger.warn({ code: error.code }, 'a publish was not confirmed, will try again');
    this.gate.close(UNCONFIRMED, 'work');
  }

  private recovered(): void {
    this.failing -= 1;
    if (this.failing === 0) this.gate.lift(UNCONFIRMED);
  }
}
