/** How much may be in flight at a time, so that a flood of slow or large requests can't fill the memory. */
export class Capacity {
  private requests = 0;
  private bytes = 0;

  constructor(
    private readonly maxRequests: number,
    private readonly maxBytes: number,
  ) {}

  /** False if there is no room; else `leave` must be called with the same number. */
  enter(bytes: number): boolean {
    if (this.requests >= this.maxRequests || this.bytes + bytes > this.maxBytes) return false;
    this.requests++;
    this.bytes += bytes;
    return true;
  }

  leave(bytes: number): void {
    this.requests--;
    this.bytes -= bytes;
  }
}
