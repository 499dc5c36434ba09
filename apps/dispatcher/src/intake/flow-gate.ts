import type { Logger } from '@form-webhooks/telemetry';

/** What stops and starts: the consumers of deliveries and events. */
export interface Consumers {
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** `intake`: take no further messages. `work`: nor begin what was handed over already. */
type Extent = 'intake' | 'work';

/**
 * Whether new work may begin. `work` stops while what follows from it can't be made safe (the broker blocks or does
 * not confirm): what was handed over waits here, unacked. `intake` stops while too many bytes are held, which only
 * going on with the work can free. In both the consumers are cancelled; nothing is nacked for waiting.
 */
export class FlowGate {
  private readonly reasons = new Map<string, Extent>();
  private waiters: (() => void)[] = [];
  private changing: Promise<void> = Promise.resolve();
  private consumers: Consumers | undefined;

  constructor(private readonly logger: Logger) {}

  /** The consumers to stop and start; given once they exist. */
  control(consumers: Consumers): void {
    this.consumers = consumers;
  }

  close(reason: string, extent: Extent): void {
    if (this.reasons.has(reason)) return;
    this.reasons.set(reason, extent);
    if (this.reasons.size === 1) this.apply();
    this.logger.warn({ reason, extent }, 'no new work is taken');
  }

  lift(reason: string): void {
    if (!this.reasons.delete(reason)) return;
    this.logger.info({ reason }, 'a reason to take no work is gone');
    if (this.reasons.size === 0) this.apply();
    if (!this.workMayBegin) return;
    const waiters = this.waiters;
    this.waiters = [];
    for (const proceed of waiters) proceed();
  }

  /** Resolves at once unless `work` is stopped. Who waits is bounded by the consumers' prefetch. */
  async whenOpen(): Promise<void> {
    while (!this.workMayBegin) await new Promise<void>((resolve) => this.waiters.push(resolve));
  }

  private get workMayBegin(): boolean {
    return ![...this.reasons.values()].includes('work');
  }

  /** One change after another, each to what is wanted by then. */
  private apply(): void {
    this.changing = this.changing
      .then(() => (this.reasons.size === 0 ? this.consumers?.resume() : this.consumers?.pause()))
      .catch((error: unknown) => this.logger.error({ err: error }, 'consumers could not be switched'));
  }
}
