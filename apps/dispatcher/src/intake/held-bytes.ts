import type { FlowGate } from './flow-gate.js';

const REOPEN_SHARE = 0.8;
const TOO_MANY = 'too many message bytes are held';

/** Counts the bytes of the messages being handled, and closes the gate above a mark until they are below 80 % of it. */
export class HeldBytes {
  private bytes = 0;

  constructor(
    private readonly max: number,
    private readonly gate: FlowGate,
  ) {}

  get held(): number {
    return this.bytes;
  }

  async during<T>(size: number, work: () => Promise<T>): Promise<T> {
    this.bytes += size;
    if (this.bytes > this.max) this.gate.close(TOO_MANY, 'intake');
    try {
      return await work();
    } finally {
      this.bytes -= size;
      if (this.bytes < this.max * REOPEN_SHARE) this.gate.lift(TOO_MANY);
    }
  }
}
