import { Inject, Injectable } from '@nestjs/common';
import { IntakeHold, PublishFailed, RetryLoop, type HoldReason } from '@form-webhooks/broker';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';

const UNCONFIRMED: HoldReason = { why: 'the broker does not confirm', extent: 'work' };
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Publishes again until the broker has confirmed. What follows from an attempt must become safe however long that
 * takes: giving up would mean a second POST of something that is settled. Meanwhile no new work is begun, so what is
 * held is bounded by what was in flight.
 */
@Injectable()
export class RetryUntilPublished {
  private readonly retries: RetryLoop<PublishFailed>;

  constructor(intake: IntakeHold, @Inject(LOGGER) logger: Logger) {
    this.retries = new RetryLoop(intake, {
      on: PublishFailed,
      reason: UNCONFIRMED,
      firstPauseMs: FIRST_PAUSE_MS,
      longestPauseMs: LONGEST_PAUSE_MS,
      // Once for all that fail meanwhile: hundreds can be in hand.
      onFailing: ({ code }, failing) => {
        if (failing === 1) logger.warn({ code }, 'a publish was not confirmed, will try again');
      },
    });
  }

  /** Resolves once `publish` did. Anything but a `PublishFailed` is a bug and is thrown. */
  untilConfirmed<T>(publish: () => Promise<T>): Promise<T> {
    return this.retries.run(publish);
  }
}
