import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  Broker,
  ParkedMessages,
  type ParkedQueue,
  type ReviewedMessage,
  type ReviewVerdict,
} from '@form-webhooks/broker';
import { DataSource, findErasedAmong, LOCKS, withLock, type Transaction } from '@form-webhooks/storage';
import { contentsOf } from './parked-contents.js';

/** More than anyone leaves parked in one queue. Beyond it an erasure isn't finished until somebody has emptied it. */
const MAX_REVIEWED = 100_000;

/** Copies of erased submissions' data in messages that were parked, which nothing else would ever take away. */
@Injectable()
export class ParkedCopies {
  private readonly parked: ParkedMessages;
  private next: Promise<void> | undefined;
  private running: Promise<void> = Promise.resolve();
  /** How much was parked at the beginning of the last whole look. */
  private seen: readonly ParkedQueue[] | undefined;

  constructor(
    broker: Broker,
    private readonly dataSource: DataSource,
  ) {
    this.parked = new ParkedMessages(broker);
  }

  /**
   * Removes those of every submission that has its tombstone by now. What can't be read is left. Erasures at the same
   * time share one look through the queues, so that many of them cost little more than one.
   * @throws if the broker is away, or more is parked than can be looked through
   */
  purge(): Promise<void> {
    this.next ??= this.running.then(() => {
      this.next = undefined;
      const look = withLock(this.dataSource, LOCKS.parkedReview, async ({ manager }) =>
        this.review(manager, await this.parked.count()),
      );
      this.running = look.catch(() => undefined);
      return look;
    });
    return this.next;
  }

  /**
   * The same if another number of messages is parked than at the last look: a copy can be parked after its erasure was
   * finished. What comes while messages are looked through is seen next time.
   */
  purgeIfChanged(): Promise<void> {
    return withLock(this.dataSource, LOCKS.parkedReview, async ({ manager }) => {
      const queues = await this.parked.count();
      if (!isDeepStrictEqual(queues, this.seen)) await this.review(manager, queues);
    });
  }

  /** A queue that is too full keeps nobody from looking through the others. */
  private async review(tx: Transaction, queues: readonly ParkedQueue[]): Promise<void> {
    const full = queues.find(({ messages }) => messages > MAX_REVIEWED);
    for (const { queue, work, messages } of queues) {
      if (messages > MAX_REVIEWED) continue;
      await this.parked.review(queue, MAX_REVIEWED, (reviewed) => judge(tx, work, reviewed));
    }
    this.seen = queues;
    if (full) throw new Error(`${full.queue} holds ${full.messages} messages, too many to look through for an erasure`);
  }
}

async function judge(tx: Transaction, work: string, messages: readonly ReviewedMessage[]): Promise<ReviewVerdict[]> {
  const contents = messages.map((message) => contentsOf(work, message));
  const erased = await findErasedAmong(
    tx,
    contents.flatMap(({ submissions }) => submissions),
  );
  return contents.map((of) => of.without(erased));
}
