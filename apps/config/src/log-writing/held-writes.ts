/**
 * Writes that somebody waits for. Once none of them has ended for the bound, it is told of, and may give them all up.
 * Each end begins the bound anew: while anything is written, what waits is only slow.
 */
export class HeldWrites {
  private readonly held = new Set<(error: Error) => void>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly boundMs: number,
    private readonly onOverdue: () => void,
  ) {}

  /** @param write is told by its signal that nobody waits for it any more */
  hold<T>(write: (givenUp: AbortSignal) => Promise<T>): Promise<T> {
    const givenUp = new AbortController();
    return new Promise((resolve, reject) => {
      const giveUp = (error: Error): void => {
        givenUp.abort();
        reject(error);
      };
      this.held.add(giveUp);
      if (this.held.size === 1) this.watch();
      void write(givenUp.signal)
        .then(resolve, reject)
        .finally(() => this.held.delete(giveUp) && this.watch());
    });
  }

  /** Rejects them, also those whose write hangs and would not hear of it. */
  giveUp(error: Error): void {
    const held = [...this.held];
    this.held.clear();
    this.watch();
    for (const giveUp of held) giveUp(error);
  }

  private watch(): void {
    clearTimeout(this.timer);
    if (this.held.size > 0) this.timer = setTimeout(this.onOverdue, this.boundMs);
  }
}
