import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Judge, ParkedQueue } from '@form-webhooks/broker';
import { findErasedAmong, type Transaction } from '@form-webhooks/storage';
import { contentsOf } from './parked-contents.js';
import { ParkedReview, TooMuchParked } from './parked-review.js';

/** Copies of erased submissions' data in messages that were parked, which nothing else would ever take away. */
@Injectable()
export class ParkedCopies {
  private next: Promise<void> | undefined;
  private running: Promise<void> = Promise.resolve();
  /** How much was parked at the beginning of the last whole look. */
  private seen: readonly ParkedQueue[] | undefined;

  constructor(private readonly parked: ParkedReview) {}

  /**
   * Removes those of every submission that has its tombstone by now. What can't be read is left. Erasures at the same
   * time share one look through the queues, so that many of them cost little more than one.
   * @throws if the broker is away, or more is parked than can be looked through: the erasure isn't finished until then
   */
  purge(): Promise<void> {
    this.next ??= this.running.then(() => {
      this.next = undefined;
      const look = this.look();
      this.running = look.catch(() => undefined);
      return look;
    });
    return this.next;
  }

  /**
   * The same if another number of messages is parked than at the last look: a copy can be parked after its erasure was
   * finished. What comes while messages are looked through is seen next time, and so is what there is while the broker
   * is away, as it is for a moment after each start: whoever connects to it tells that.
   */
  async purgeIfChanged(): Promise<void> {
    if (!this.parked.reachable) return;
    await this.look((queues) => !isDeepStrictEqual(queues, this.seen));
  }

  private async look(isWorthwhile?: (queues: readonly ParkedQueue[]) => boolean): Promise<void> {
    try {
      this.seen = (await this.parked.run(judgeFor, isWorthwhile)) ?? this.seen;
    } catch (error) {
      if (error instanceof TooMuchParked) this.seen = error.queues;
      throw error;
    }
  }
}

const judgeFor =
  (work: string, tx: Transaction): Judge =>
  async (messages) => {
    const contents = messages.map((message) => contentsOf(work, message));
    const erased = await findErasedAmong(
      tx,
      contents.flatMap(({ submissions }) => submissions),
    );
    return contents.map((of) => of.without(erased));
  };
