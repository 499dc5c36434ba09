import type { AttemptProgress } from '../attempt/attempt-delivery.js';
import { BulkLine, type BulkDelivery, type EndpointRoom } from './bulk-line.js';

const LOOK_EVERY_MS = 100;
const LEAST = 32;
const FIRST = 128;
/** The share of its time that this process may be busy before it begins less, and how fast it begins more or less. */
const BUSY = 0.85;
const MORE = 1.25;
const LESS = 0.8;
/** An attempt that takes longer gives its turn to the next: thousands of receivers that hang must not hold them all. */
const SLOW_MS = 250;

/** Of so many turns one is for what comes after the others, when both wait. */
const TURNS_PER_LATER = 4;

/**
 * What waits for a turn: a first attempt by its event's message, one of bulk, or a delivery with a message of its own, as
 * a replay's or one whose event came a second time.
 */
export type WaitsAs = 'event' | 'message' | BulkDelivery;

/** The right to begin an attempt. */
type Turn = object;
type Give = (turn: Turn) => void;

/**
 * How many attempts that no delay has ended for are under way at a time: as many as this process has time for. What
 * comes beyond waits its turn, in the order in which it came, where its message waits anyway; what is bulk, or has a
 * message of its own, comes after the others, but has one turn in four. Admission isn't asked before: it would see many
 * receivers become slow at once, which are not, and put their deliveries off, which costs more than the attempts. Only
 * bulk waits for its endpoint's room as well: see `BulkLine`.
 */
export class FirstTurns {
  /** When each turn under way was given, oldest first. */
  private readonly given = new Map<Turn, number>();
  /** In the order of their arrival; bounded by the messages in hand, as those of bulk are. */
  private readonly events = new Set<Give>();
  private readonly messages = new Set<Give>();
  private readonly bulk: BulkLine<Give>;
  private count = 0;
  private bulkIsNext = false;
  private timer: NodeJS.Timeout | undefined;
  private limit: number;

  /**
   * @param max turns at a time, however much time there is
   * @param busyShare the share of its time for which this process was busy since it was asked before
   * @param mayBegin whether attempts may begin now: while they may not, those that have a turn keep it, or the turns
   *   would go from one to the next and all that waits would begin at once when they may
   */
  constructor(
    private readonly max: number,
    private readonly busyShare: () => number,
    room: EndpointRoom,
    private readonly mayBegin: () => boolean,
  ) {
    this.limit = Math.min(FIRST, max);
    this.bulk = new BulkLine(room);
    room.onFreed(() => {
      if (this.bulk.size > 0) this.giveToWaiting();
    });
  }

  /** Those that wait for their turn. */
  get waitingCount(): number {
    return this.events.size + this.messages.size + this.bulk.size;
  }

  /**
   * Runs `work` when its turn has come. The turn ends with the POST that the work tells of: the records and confirms that
   * follow take longer than most receivers and no time of this process, and would hold up who waits for nothing.
   */
  during<T>(as: WaitsAs, work: (progress: AttemptProgress) => Promise<T>): Promise<T> {
    if (typeof as === 'string' && this.given.size < this.limit) return this.run(this.give(), undefined, work);
    const bulk = typeof as === 'string' ? undefined : as;
    // What waits is a promise and a function: an async function that has begun takes several times the memory.
    return new Promise((resolve) => this.wait(as, (turn) => resolve(this.run(turn, bulk, work))));
  }

  private run<T>(
    turn: Turn,
    bulk: BulkDelivery | undefined,
    work: (progress: AttemptProgress) => Promise<T>,
  ): Promise<T> {
    let asking = bulk;
    const asked = (): void => {
      if (asking) this.bulk.asked(asking.endpointId);
      asking = undefined;
    };
    const sent = (): void => {
      asked();
      if (this.given.delete(turn)) this.giveToWaiting();
    };
    const working = work({ asked, sent });
    void working.then(sent, sent);
    return working;
  }

  /** The process is to end: nothing waits for its endpoint's room any more. */
  end(): void {
    this.bulk.end();
    this.giveToWaiting();
  }

  private give(): Turn {
    const turn = {};
    this.given.set(turn, performance.now());
    return turn;
  }

  private wait(as: WaitsAs, begin: Give): void {
    if (as === 'event') this.events.add(begin);
    else if (as === 'message') this.messages.add(begin);
    else {
      this.bulk.add(as, begin, performance.now());
      this.giveToWaiting();
    }
    if (this.waitingCount > 0) this.startLooking();
  }

  private startLooking(): void {
    if (this.timer !== undefined) return;
    this.busyShare();
    this.timer = setInterval(() => this.adapt(), LOOK_EVERY_MS);
  }

  private adapt(): void {
    if (!this.mayBegin()) return;
    const isBusy = this.busyShare() > BUSY;
    this.limit = Math.min(this.max, Math.max(LEAST, Math.ceil(this.limit * (isBusy ? LESS : MORE))));
    const slowSince = performance.now() - SLOW_MS;
    for (const [turn, since] of this.given) {
      if (since > slowSince) break;
      this.given.delete(turn);
    }
    this.giveToWaiting();
  }

  private giveToWaiting(): void {
    while (this.given.size < this.limit) {
      const give = this.takeNext();
      if (give === undefined) break;
      give(this.give());
    }
    if (this.waitingCount > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private takeNext(): Give | undefined {
    const laterFirst = this.count++ % TURNS_PER_LATER === TURNS_PER_LATER - 1;
    return (laterFirst ? this.takeLater() : undefined) ?? takeFirst(this.events) ?? this.takeLater();
  }

  /** Of bulk and of messages in turn. */
  private takeLater(): Give | undefined {
    this.bulkIsNext = !this.bulkIsNext;
    if (this.bulkIsNext) return this.takeBulk() ?? takeFirst(this.messages);
    return takeFirst(this.messages) ?? this.takeBulk();
  }

  private takeBulk(): Give | undefined {
    return this.bulk.size === 0 ? undefined : this.bulk.takeNext(performance.now());
  }
}

function takeFirst(waiting: Set<Give>): Give | undefined {
  for (const give of waiting) {
    waiting.delete(give);
    return give;
  }
  return undefined;
}
