/** `suspect`: takes too long. `unproven`: has not answered for 5 s. `proven`: all others. */
export type PoolName = 'suspect' | 'unproven' | 'proven';

/** What suspects share, as a part of all slots; what they hold beyond it takes no slot from others. */
const SUSPECTS = 1 / 4;
/** What suspects and unproven ones share. */
const WITHOUT_ANSWER = 1 / 2;
/** What those that did not answer within the last second have at most: theirs alone who did is the rest. */
const WITHOUT_LATE_ANSWER = 3 / 4;
/** Sockets, also those that cost no slot, as multiples of the slots: for those without an answer, with one, with a late one. */
const SOCKETS = { withoutAnswer: 1.5, answered: 1.75, answeredLately: 2 };

/** Counts the attempts in flight by pool and says who may have another. */
export class Pools {
  private readonly held = { suspect: 0, unproven: 0, proven: 0 };
  /** Of the proven, those by endpoints that had answered within the last second. */
  private heldLately = 0;

  constructor(private readonly concurrency: number) {}

  /** Attempts in flight, also those that cost no slot. */
  get sockets(): number {
    return this.held.suspect + this.held.unproven + this.held.proven;
  }

  /** What suspects hold beyond their share takes none; so those without an answer hold half of them at most. */
  get slots(): number {
    return this.slotsWithoutAnswer + this.held.proven;
  }

  /** More than half of the slots are in use. */
  get isContended(): boolean {
    return this.slots > this.concurrency / 2;
  }

  /** What a pool has at most. */
  sizeOf(pool: PoolName): number {
    const share = { suspect: SUSPECTS, unproven: WITHOUT_ANSWER, proven: 1 };
    return this.concurrency * share[pool];
  }

  add(pool: PoolName, answeredLately: boolean): void {
    this.held[pool] += 1;
    if (answeredLately) this.heldLately += 1;
  }

  remove(pool: PoolName, answeredLately: boolean): void {
    this.held[pool] -= 1;
    if (answeredLately) this.heldLately -= 1;
  }

  /** The pool's own share is used up. */
  isFull(pool: PoolName): boolean {
    if (pool === 'proven') return false;
    if (this.sockets >= this.concurrency * SOCKETS.withoutAnswer) return true;
    if (this.slotsWithoutAnswer >= this.concurrency * WITHOUT_ANSWER) return true;
    return pool === 'suspect' && this.held.suspect >= this.concurrency * SUSPECTS;
  }

  /**
   * Nothing is left for anybody who did, or did not, answer within the last second. Who did not is bound by what such
   * ones hold: were it by all that is held, many busy ones would keep those with little traffic from every slot.
   */
  isUsedUp(answeredLately: boolean): boolean {
    const { concurrency } = this;
    if (this.slots >= concurrency) return true;
    if (answeredLately) return this.sockets >= concurrency * SOCKETS.answeredLately;
    const others = this.slots - this.heldLately;
    return others >= concurrency * WITHOUT_LATE_ANSWER || this.sockets >= concurrency * SOCKETS.answered;
  }

  private get slotsWithoutAnswer(): number {
    return Math.min(this.held.suspect, this.concurrency * SUSPECTS) + this.held.unproven;
  }
}
