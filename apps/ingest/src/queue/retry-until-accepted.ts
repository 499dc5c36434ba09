import {
  PublishFailed,
  RetryLoop,
  type HoldReason,
  type IncomingMessage,
  type IntakeHold,
} from '@form-webhooks/broker';
import type { Acceptance } from '../accept/accept-event.js';

const UNPUBLISHED: HoldReason = { why: 'events can not be published', extent: 'intake' };

export interface AcceptRetryLimits {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** After this a message is handed back, well before the broker's `consumer_timeout` (30 min) takes it, ms. */
  readonly giveUpAfterMs: number;
}

const DEFAULT_ACCEPT_RETRY_LIMITS: AcceptRetryLimits = {
  firstPauseMs: 100,
  longestPauseMs: 5_000,
  giveUpAfterMs: 20 * 60_000,
};

/**
 * Accepts what a message carries through an outage of the broker: the message is held and the intake stands still, so
 * that nothing is nacked in a loop and no more is held than the prefetch.
 */
export class RetryUntilAccepted {
  private readonly retries: RetryLoop<PublishFailed>;

  constructor(intake: IntakeHold, limits: AcceptRetryLimits = DEFAULT_ACCEPT_RETRY_LIMITS) {
    this.retries = new RetryLoop(intake, { on: PublishFailed, reason: UNPUBLISHED, ...limits });
  }

  /**
   * @returns undefined if the broker has taken the message back in the middle of an outage, and hands it over anew
   * @throws PublishFailed when the service stops or the message was held too long: it is handed back then
   */
  accept(message: Pick<IncomingMessage, 'isOurs'>, accept: () => Promise<Acceptance>): Promise<Acceptance | undefined> {
    return this.retries.runWhileOurs(message, accept);
  }
}
