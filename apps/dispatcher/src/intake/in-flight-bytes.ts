import type { HoldReason, IntakeHold } from '@form-webhooks/broker';

const RELEASE_SHARE = 0.8;
/** Not `work`: only what goes on with the work frees bytes. */
const TOO_MANY: HoldReason = { why: 'too many message bytes are held', extent: 'intake' };

/** Counts the bytes of the messages being handled, and holds the intake above a mark until they are below 80 % of it. */
export class InFlightBytes {
  private bytes = 0;
  private tooMany = false;

  constructor(
    private readonly max: number,
    private readonly intake: IntakeHold,
  ) {}

  /** Of the messages being handled now. */
  get size(): number {
    return this.bytes;
  }

  during<T>(size: number, work: () => Promise<T>): Promise<T> {
    this.add(size);
    return work().finally(() => this.remove(size));
  }

  private add(size: number): void {
    this.bytes += size;
    if (this.tooMany || this.bytes <= this.max) return;
    this.tooMany = true;
    void this.intake.hold(TOO_MANY);
  }

  private remove(size: number): void {
    this.bytes -= size;
    if (this.bytes >= this.max * RELEASE_SHARE) return;
    this.tooMany = false;
    this.intake.release(TOO_MANY);
  }
}
