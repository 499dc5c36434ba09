/** How many attempts may start per millisecond since the turn of the event loop before, and in each turn at least. */
const STARTS_PER_MS = 1;
const STARTS_PER_TURN = 8;

/**
 * Spreads the starts of attempts over turns of the event loop. A slot says that an attempt may run; without this all that
 * hold one would start in the same turn, each would seem as slow as all of them together, and each would open a
 * connection of its own where a few, used again, are enough. Between two turns whatever was answered is heard, so as
 * many are under way as receivers need time for, and no more because this process is busy. Turns that other work makes
 * long let more start, or that work would set the pace of the attempts. Nobody waits for an answer.
 */
export class AttemptStarts {
  /** In the order of their arrival; bounded by the slots. */
  private readonly waiting: (() => void)[] = [];
  private lastTurn = 0;

  /** Resolves when an attempt may start. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) this.awaitTurn();
    });
  }

  private awaitTurn(): void {
    this.lastTurn = performance.now();
    setImmediate(() => this.startSome());
  }

  private startSome(): void {
    const turnMs = performance.now() - this.lastTurn;
    const count = Math.max(STARTS_PER_TURN, Math.floor(turnMs * STARTS_PER_MS));
    for (const start of this.waiting.splice(0, count)) start();
    if (this.waiting.length > 0) this.awaitTurn();
  }
}
