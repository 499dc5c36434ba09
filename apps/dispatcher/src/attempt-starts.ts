/** How many attempts start in one turn of the event loop. */
const STARTS_PER_TURN = 8;

/**
 * Spreads the starts of attempts over turns of the event loop. A slot says that an attempt may run; without this all that
 * hold one would start in the same turn, each would seem as slow as all of them together, and each would open a
 * connection of its own where a few, used again, are enough. Between two turns whatever was answered is heard, so as
 * many are under way as receivers need time for, and no more because this process is busy. Nobody waits for an answer.
 */
export class AttemptStarts {
  /** In the order of their arrival; bounded by the slots. */
  private readonly waiting: (() => void)[] = [];

  /** Resolves when an attempt may start. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) setImmediate(() => this.startSome());
    });
  }

  private startSome(): void {
    for (const start of this.waiting.splice(0, STARTS_PER_TURN)) start();
    if (this.waiting.length > 0) setImmediate(() => this.startSome());
  }
}
