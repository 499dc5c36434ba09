const LOOK_EVERY_MS = 100;
const LEAST = 32;
const FIRST = 128;
/** The share of its time that this process may be busy before it begins less, and how fast it begins more or less. */
const BUSY = 0.85;
const MORE = 1.25;
const LESS = 0.8;
/** An attempt that takes longer gives its turn to the next: thousands of receivers that hang must not hold them all. */
const SLOW_MS = 250;

/** Of so many turns one is for bulk, when both wait. */
const TURNS_PER_BULK = 4;

/** The right to begin a first attempt. */
type Turn = object;
type Give = (turn: Turn) => void;

/**
 * How many first attempts are under way at a time: as many as this process has time for. What comes beyond waits its
 * turn, in the order in which it came, where its event waits anyway; what is bulk comes after the others, but has one
 * turn in four. Admission isn't asked before: it would see many receivers become slow at once, which are not, and put
 * their deliveries off, which costs more than the attempts.
 */
export class FirstTurns {
  /** When each turn under way was given, oldest first. */
  private readonly given = new Map<Turn, number>();
  /** In the order of their arrival; bounded by the events in hand. */
  private readonly waiting = { normal: new Set<Give>(), bulk: new Set<Give>() };
  private count = 0;
  private timer: NodeJS.Timeout | undefined;
  private limit: number;

  /**
   * @param max turns at a time, however much time there is
   * @param busyShare the share of its time for which this process was busy since it was asked before
   */
  constructor(
    private readonly max: number,
    private readonly busyShare: () => number,
  ) {
    this.limit = Math.min(FIRST, max);
  }

  /** Those that wait for their turn. */
  get waitingCount(): number {
    return this.waiting.normal.size + this.waiting.bulk.size;
  }

  /** Runs `work` when its turn has come. */
  async during<T>(bulk: boolean, work: () => Promise<T>): Promise<T> {
    const turn = this.given.size < this.limit ? this.give() : await this.wait(bulk);
    try {
      return await work();
    } finally {
      this.given.delete(turn);
      this.giveToWaiting();
    }
  }

  private give(): Turn {
    const turn = {};
    this.given.set(turn, performance.now());
    return turn;
  }

  private wait(bulk: boolean): Promise<Turn> {
    if (this.timer === undefined) {
      this.busyShare();
      this.timer = setInterval(() => this.adapt(), LOOK_EVERY_MS);
    }
    return new Promise((resolve) => this.waiting[bulk ? 'bulk' : 'normal'].add(resolve));
  }

  private adapt(): void {
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
      if (give === undefined) {
        clearInterval(this.timer);
        this.timer = undefined;
        return;
      }
      give(this.give());
    }
  }

  private takeNext(): Give | undefined {
    const { normal, bulk } = this.waiting;
    const bulkFirst = this.count++ % TURNS_PER_BULK === TURNS_PER_BULK - 1;
    const line = bulk.size > 0 && (bulkFirst || normal.size === 0) ? bulk : normal;
    for (const give of line) {
      line.delete(give);
      return give;
    }
    return undefined;
  }
}
