interface Use {
  readonly user: string;
  readonly at: number;
}

/** Who used something of late, as far as it takes to tell whether one is alone with it. Times are in ms. */
export class LatestUsers {
  private last: Use | undefined;
  /** The latest before that which was another one. */
  private other: Use | undefined;

  note(user: string, now: number): void {
    if (this.last !== undefined && this.last.user !== user) this.other = this.last;
    this.last = { user, at: now };
  }

  /** Whether somebody else used it within so many ms. */
  hasOthers(user: string, withinMs: number, now: number): boolean {
    const others = this.last?.user === user ? this.other : this.last;
    return others !== undefined && now - others.at <= withinMs;
  }
}
