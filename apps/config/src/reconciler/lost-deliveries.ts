import { Inject, Injectable } from '@nestjs/common';
import { QUEUES, type Judge, type ReviewedMessage } from '@form-webhooks/broker';
import { DataSource, findOverdue, lastListed, type OverdueDelivery } from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { readBatch } from '../parked/parked-contents.js';
import { ParkedReview, TooMuchParked } from '../parked/parked-review.js';

/** So many are found at a time. */
export const LOST_AT_A_TIME = 50_000;
/** So many more that those which are parked, up to 100,000, don't hide the others. */
const MAX_OVERDUE = LOST_AT_A_TIME + 100_000;

/**
 * Finds out what the broker lost, once the fences have come through: what is overdue and in no queue. In a parked queue
 * it is not lost: a person has to look at it, and each copy more would be another POST when they put it back to work.
 */
@Injectable()
export class LostDeliveries {
  constructor(
    private readonly dataSource: DataSource,
    private readonly parked: ParkedReview,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * The next of what is lost, behind what the reconciliation has listed already; fewer than `LOST_AT_A_TIME` are the
   * last. Takes as long as it takes to look at every parked message, and belongs in no transaction for that.
   */
  async findNext(reconciliationId: string, dueBefore: Date): Promise<readonly OverdueDelivery[]> {
    const { manager } = this.dataSource;
    const listed = await lastListed(manager, reconciliationId);
    const overdue = await findOverdue(manager, dueBefore, MAX_OVERDUE, listed);
    if (overdue.length === 0) return overdue;
    const kept = new ParkedAmong(overdue);
    try {
      await this.parked.run((work) => kept.judgeFor(work));
    } catch (error) {
      if (!(error instanceof TooMuchParked)) throw error;
      this.logger.warn({ err: error, overdue: overdue.length }, 'nothing lost is published again: too much is parked');
      return [];
    }
    return overdue.filter((delivery) => !kept.holds(delivery)).slice(0, LOST_AT_A_TIME);
  }
}

/** Which of these deliveries parked messages speak of; no others are remembered, however much is parked. */
class ParkedAmong {
  private readonly deliveryIds: ReadonlySet<unknown>;
  private readonly eventIds: ReadonlySet<unknown>;
  private readonly found = new Set<unknown>();

  constructor(overdue: readonly OverdueDelivery[]) {
    this.deliveryIds = new Set(overdue.map(({ deliveryId }) => deliveryId));
    this.eventIds = new Set(overdue.map(({ eventId }) => eventId));
  }

  holds({ deliveryId, eventId }: OverdueDelivery): boolean {
    return this.found.has(deliveryId) || this.found.has(eventId);
  }

  judgeFor(work: string): Judge | undefined {
    switch (work) {
      case QUEUES.deliveries:
        return keeping(({ headers }) => this.note(headers['delivery_id'], this.deliveryIds));
      case QUEUES.events:
        // Put back to work it is fanned out, and makes each of its deliveries again.
        return keeping(({ headers }) => this.note(headers['event_id'], this.eventIds));
      case QUEUES.deliveryLog:
        // What the log doesn't know yet: the delivery may be final, or wait for its next try. An event's record says
        // only that there are deliveries.
        return keeping(({ body }) => {
          for (const record of readBatch(body)) {
            if (record.kind === 'delivery') this.note(record.deliveryId, this.deliveryIds);
          }
        });
      default:
        return undefined;
    }
  }

  private note(id: unknown, asked: ReadonlySet<unknown>): void {
    if (asked.has(id)) this.found.add(id);
  }
}

/** A judge that looks and keeps. */
const keeping =
  (look: (message: ReviewedMessage) => void): Judge =>
  (messages) => {
    messages.forEach(look);
    return Promise.resolve(messages.map(() => 'keep' as const));
  };
