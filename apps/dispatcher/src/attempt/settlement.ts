import { Injectable } from '@nestjs/common';
import type { CancelledReason, WaitingCause } from '@form-webhooks/domain';
import { PublishFailed, type OutgoingMessage } from '@form-webhooks/broker';
import { deliveryHeaders, type AttemptRecord, type DeliveryMessage } from '@form-webhooks/messages';
import { DeliveryLog } from '../record/delivery-log.js';
import {
  attemptRecordOf,
  messageOfDeferral,
  messageOfRetry,
  recordOfCancellation,
  recordOfDeferral,
  recordOfExpiry,
  recordOfFinalAttempt,
  recordOfRetry,
  type MadeAttempt,
} from '../record/delivery-records.js';

/** Publishes what has to wait before it falls due. */
export abstract class DelayedPublisher {
  /**
   * Resolves once the message is safe where it waits, however long that takes. It rejects only for bugs.
   * @param delayMs how long it waits at least
   * @param messageFor makes the message for the delay that it is really placed on, because it carries its due time;
   *   called again for each try to publish
   * @param bodyBytes of its body: what is large waits apart
   */
  abstract publishDelayed(
    endpointId: string,
    delayMs: number,
    messageFor: (delayMs: number) => OutgoingMessage,
    bodyBytes: number,
  ): Promise<void>;
}

/**
 * The POST was made, and a bug kept what follows from it from being made safe. The receiver may have it, so the delivery
 * must not come again by itself: it waits for a person.
 */
export class UnsettledAttempt extends Error {
  override readonly name = 'UnsettledAttempt';

  constructor(cause: unknown) {
    super(`its POST was made, but a bug kept it from being settled: ${String(cause)}`, { cause });
  }
}

/** Tells operators of each step of a delivery. */
export abstract class StepReport {
  abstract reportAttempt(delivery: DeliveryMessage, made: MadeAttempt): void;
  abstract reportDeferral(delivery: DeliveryMessage, cause: WaitingCause): void;
  abstract reportCancellation(delivery: DeliveryMessage, reason: CancelledReason): void;
  abstract reportExpiry(delivery: DeliveryMessage): void;
  abstract reportUnsettled(delivery: DeliveryMessage, error: unknown): void;
}

/** Makes what follows from a step safe: the next message and the log's record, both confirmed. */
@Injectable()
export class Settlement {
  constructor(
    private readonly publisher: DelayedPublisher,
    private readonly log: DeliveryLog,
    private readonly report: StepReport,
  ) {}

  /**
   * Runs what follows from a POST.
   * @throws UnsettledAttempt for a bug; PublishFailed when the process stops before the broker has confirmed
   */
  afterPost(delivery: DeliveryMessage, settle: () => Promise<void>): Promise<void> {
    // Not awaited: what waits for the log would hold the whole attempt in memory, the request and its answer.
    return new Promise<void>((resolve) => resolve(settle())).catch((error: unknown) => {
      if (error instanceof PublishFailed) throw error;
      this.report.reportUnsettled(delivery, error);
      throw new UnsettledAttempt(error);
    });
  }

  /** After an attempt. The POST is never repeated for this: what can't be confirmed is published again. */
  settleAttempt(delivery: DeliveryMessage, made: MadeAttempt): Promise<void> {
    const { next } = made;
    this.report.reportAttempt(delivery, made);
    const attempt = attemptRecordOf(delivery, made);
    if (next.kind === 'retry') return this.retryLater(delivery, attempt, next.delayMs);
    return this.log.record(recordOfFinalAttempt(delivery, attempt, next));
  }

  private async retryLater(delivery: DeliveryMessage, attempt: AttemptRecord, delayMs: number): Promise<void> {
    const dueAt = await this.publishLater(delivery, delayMs, messageOfRetry);
    await this.log.record(recordOfRetry(delivery, attempt, dueAt));
  }

  /** Puts a delivery off for `delayMs` at least, without using up a try. */
  async deferDelivery(delivery: DeliveryMessage, delayMs: number, cause: WaitingCause): Promise<void> {
    const dueAt = await this.publishLater(delivery, delayMs, messageOfDeferral);
    await this.log.record(recordOfDeferral(delivery, dueAt, cause));
    this.report.reportDeferral(delivery, cause);
  }

  /** Gives a delivery up without an attempt. */
  async cancelDelivery(delivery: DeliveryMessage, reason: CancelledReason): Promise<void> {
    await this.log.record(recordOfCancellation(delivery, reason, Date.now()));
    this.report.reportCancellation(delivery, reason);
  }

  /** Gives a delivery up that may not be sent any more, and was held back until then. */
  async expireDelivery(delivery: DeliveryMessage): Promise<void> {
    await this.log.record(recordOfExpiry(delivery, Date.now()));
    this.report.reportExpiry(delivery);
  }

  /** Publishes the message that falls due after the delay. @returns when that is, ms since the epoch */
  private async publishLater(
    delivery: DeliveryMessage,
    delayMs: number,
    messageOf: (delivery: DeliveryMessage, dueAt: number) => DeliveryMessage,
  ): Promise<number> {
    let dueAt = 0;
    const placed = (placedForMs: number): OutgoingMessage => {
      dueAt = Date.now() + placedForMs;
      const message = messageOf(delivery, dueAt);
      return { headers: deliveryHeaders(message), body: message.tail };
    };
    await this.publisher.publishDelayed(delivery.endpointId, delayMs, placed, delivery.tail.length);
    return dueAt;
  }
}
