/** What an endpoint of which nothing is known may have in flight. */
export const INITIAL_LIMIT = 8;

/** How many attempts an endpoint may have in flight: more while it answers, half as many when it times out. */
export class EndpointLimit {
  private limit: number;

  constructor(private readonly max: number) {
    this.limit = Math.min(INITIAL_LIMIT, max);
  }

  get size(): number {
    return Math.floor(this.limit);
  }

  /** It answered while so many were in flight. A limit that is not used says nothing and doesn't grow. */
  answer(inFlight: number): void {
    if (2 * inFlight >= this.limit) this.limit = Math.min(this.max, this.limit + 1);
  }

  timeOut(): void {
    this.limit = Math.max(1, this.limit / 2);
  }
}
