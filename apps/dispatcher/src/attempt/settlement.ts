import type { CancelledReason, NextStep } from '@form-webhooks/domain';
import type { OutgoingMessage, RetryQueues } from '@form-webhooks/broker';
import { deliveryHeaders, type DeliveryMessage, type EndpointSnapshot } from '@form-webhooks/messages';
import type { SentAttempt } from '@form-webhooks/sender';
import type { RetryUntilPublished } from '../intake/retry-until-published.js';
import * as records from '../record/delivery-records.js';
import type { RecordLog } from '../record/record-log.js';

/** Makes what follows from a step safe: the next message and the log's record, both confirmed. */
export class Settlement {
  constructor(
    private readonly retries: RetryQueues,
    private readonly confirmed: RetryUntilPublished,
    private readonly log: RecordLog,
  ) {}

  /** After an attempt. The POST is never repeated for this: what can't be confirmed is published again. */
  async attempted(
    delivery: DeliveryMessage,
    endpoint: EndpointSnapshot,
    sent: SentAttempt,
    next: NextStep,
  ): Promise<void> {
    const attempt = records.attemptRecord(delivery, endpoint, sent, next);
    const finishedAt = sent.startedAt + sent.durationMs;
    const dueAt =
      next.kind === 'retry'
        ? await this.wait(delivery, next.delayMs, (at) => records.retryMessage(delivery, at))
        : finishedAt;
    await this.log.record(records.attempted(delivery, attempt, next, { finishedAt, dueAt }));
  }

  async deferred(delivery: DeliveryMessage, delayMs: number): Promise<void> {
    const dueAt = await this.wait(delivery, delayMs, (at) => records.deferralMessage(delivery, at));
    await this.log.record(records.deferred(delivery, dueAt));
  }

  async cancelled(delivery: DeliveryMessage, reason: CancelledReason): Promise<void> {
    await this.log.record(records.cancelled(delivery, reason, Date.now()));
  }

  /** Publishes the message that falls due after the delay. @returns when that is, ms since the epoch */
  private async wait(
    delivery: DeliveryMessage,
    delayMs: number,
    messageDueAt: (dueAt: number) => DeliveryMessage,
  ): Promise<number> {
    let dueAt = 0;
    const outgoing = (placedFor: number): OutgoingMessage => {
      dueAt = Date.now() + placedFor;
      const message = messageDueAt(dueAt);
      return { headers: deliveryHeaders(message), body: message.tail };
    };
    await this.confirmed.untilConfirmed(() =>
      this.retries.publish(delivery.endpointId, delayMs, (placement) => outgoing(placement.delayMs)),
    );
    return dueAt;
  }
}
