/**
 * Calls `expire` once `ms` have passed and everything that arrived by then has been read. In a process that is late,
 * timers come due before the sockets are read: an answered request would count as timed out, and be sent again.
 * @returns cancels it
 */
export function startDeadline(ms: number, expire: () => void): () => void {
  const deadline = new Deadline();
  deadline.start(ms, expire);
  return () => deadline.cancel();
}

/** The same for deadlines that replace each other: one runs at a time. */
export class Deadline {
  private timer: NodeJS.Timeout | undefined;
  /** The turn of the event loop in which what has arrived is read. */
  private turn: NodeJS.Immediate | undefined;

  start(ms: number, expire: () => void): void {
    this.cancel();
    this.timer = setTimeout(() => (this.turn = setImmediate(expire)), ms);
  }

  cancel(): void {
    clearTimeout(this.timer);
    if (this.turn) clearImmediate(this.turn);
  }
}
