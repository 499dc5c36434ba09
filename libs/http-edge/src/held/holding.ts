/** How much of something is held at a time, such as requests or bytes of bodies, with its bound. */
export class Holding {
  private amount = 0;

  constructor(readonly max: number) {}

  get held(): number {
    return this.amount;
  }

  /** The only way to hold something: what is taken here goes back by the lease. @returns undefined if there is no room */
  take(amount = 1): Lease | undefined {
    if (this.amount + amount > this.max) return undefined;
    this.amount += amount;
    return new Lease(() => (this.amount -= amount));
  }
}

/** What is held goes back once, however often this is ended, and not before the work that still uses it has ended. */
export class Lease {
  private uses = 1;
  private ended = false;

  constructor(private readonly giveBack: () => void) {}

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.leave();
  }

  /** Keeps what is held for as long as this work takes, also if the lease is ended meanwhile. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.uses += 1;
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private leave(): void {
    this.uses -= 1;
    if (this.uses === 0) this.giveBack();
  }
}
