import { Injectable } from '@nestjs/common';
import { ParkedMessages, type Judge, type ParkedQueue } from '@form-webhooks/broker';
import { DataSource, LOCKS, withLock, type Transaction } from '@form-webhooks/storage';

/** More than anyone leaves parked in one queue. */
const MAX_REVIEWED = 100_000;

/** Nobody can tell what is in the queue until a person has emptied it. */
export class TooMuchParked extends Error {
  override readonly name = 'TooMuchParked';

  constructor(
    { queue, messages }: ParkedQueue,
    /** How much was parked in all queues; the others were looked through. */
    readonly queues: readonly ParkedQueue[],
  ) {
    super(`${queue} holds ${messages} messages, too many to look through`);
  }
}

/**
 * Looks through the parked queues, one look at a time in all replicas: what one has in its hands is hidden from another.
 * Only an operator's command, which looks at a few, can hide something.
 */
@Injectable()
export class ParkedReview {
  constructor(
    private readonly parked: ParkedMessages,
    private readonly dataSource: DataSource,
  ) {}

  /** Whether the broker is there to be looked at. */
  get reachable(): boolean {
    return this.parked.reachable;
  }

  /**
   * @param judgeOf for the messages that came from this work queue; without a judge their queue is left alone
   * @param isWorthwhile asked with how much is parked now, before the look
   * @returns how much was parked, undefined if nobody looked
   * @throws TooMuchParked once the other queues were looked through; whatever the broker throws that is away
   */
  run(
    judgeOf: (work: string, tx: Transaction) => Judge | undefined,
    isWorthwhile: (queues: readonly ParkedQueue[]) => boolean = () => true,
  ): Promise<readonly ParkedQueue[] | undefined> {
    return withLock(this.dataSource, LOCKS.parkedReview, async ({ manager }) => {
      const queues = await this.parked.count();
      if (!isWorthwhile(queues)) return undefined;
      const judged = queues.map((of) => ({ of, judge: judgeOf(of.work, manager) }));
      for (const { of, judge } of judged) {
        if (judge && of.messages <= MAX_REVIEWED) await this.parked.review(of.queue, MAX_REVIEWED, judge);
      }
      const full = judged.find(({ of, judge }) => judge && of.messages > MAX_REVIEWED);
      if (full) throw new TooMuchParked(full.of, queues);
      return queues;
    });
  }
}
