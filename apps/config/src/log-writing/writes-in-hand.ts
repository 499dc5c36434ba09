/**
 * Writes that somebody waits for. Once none of them has ended for the bound, it is told of, and may give them all up.
 * Each end begins the bound anew: while anything is written, what waits is only slow.
 */
export class WritesInHand {
  private readonly inHand = new Set<AbortController>();
  private timer: NodeJS.Timeout | undefined;
  private watchedSince = 0;

  constructor(
    private readonly boundMs: number,
    private readonly onOverdue: () => void,
  ) {}

  /** @param write ends with the signal's reason as soon as that tells that nobody waits for it any more */
  async during<T>(write: (givenUp: AbortSignal) => Promise<T>): Promise<T> {
    const givenUp = new AbortController();
    this.inHand.add(givenUp);
    if (this.inHand.size === 1) this.watch();
    try {
      return await write(givenUp.signal);
    } finally {
      if (this.inHand.delete(givenUp)) this.watch();
    }
  }

  /** For how long somebody has been waiting and none has ended, ms. */
  get waitingMs(): number {
    return this.inHand.size === 0 ? 0 : performance.now() - this.watchedSince;
  }

  giveUp(error: Error): void {
    const inHand = [...this.inHand];
    this.inHand.clear();
    this.watch();
    for (const givenUp of inHand) givenUp.abort(error);
  }

  private watch(): void {
    clearTimeout(this.timer);
    this.watchedSince = performance.now();
    if (this.inHand.size > 0) this.timer = setTimeout(this.onOverdue, this.boundMs);
  }
}
