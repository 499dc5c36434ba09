import type { Writable } from 'node:stream';

/** How long messages wait for others, ms. */
const GATHERED_MS = 2;
/** Of bodies; with more, what waits goes out at once, so that large ones are not slowed down. */
const GATHERED_BYTES = 16 * 1024;

/**
 * Sends the messages of 2 ms to the broker in one write. A write, with what it wakes up on both sides, costs more than to
 * encode a message. One that comes 2 ms or longer after the last write waits for nothing, so at low rates nothing does.
 */
export class GatheredWrites {
  private writtenAt = -Infinity;
  private waitingBytes = 0;
  private waiting: NodeJS.Timeout | undefined;

  constructor(private readonly socket: Pick<Writable, 'cork' | 'uncork'>) {}

  /** To be told of each message just before it is handed to the connection. @param bytes of its body */
  expect(bytes: number): void {
    if (this.waiting === undefined) {
      const now = performance.now();
      if (now - this.writtenAt >= GATHERED_MS) {
        this.writtenAt = now;
        return;
      }
      this.socket.cork();
      this.waiting = setTimeout(() => this.write(), GATHERED_MS);
    }
    this.waitingBytes += bytes;
    if (this.waitingBytes >= GATHERED_BYTES) this.write();
  }

  private write(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.waitingBytes = 0;
    this.writtenAt = performance.now();
    this.socket.uncork();
  }
}
