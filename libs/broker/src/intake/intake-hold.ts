import { setMaxListeners } from 'node:events';
import type { BrokerLogger } from '../broker-logger.js';
import { ServiceStops, type IncomingMessage } from '../consume/verdict.js';

/** Whose consumers are stopped and started again, queue by queue; a `BrokerServer` is one. Harmless when repeated. */
export interface QueueConsumers {
  pause(queue: string): Promise<void>;
  resume(queue: string): Promise<void>;
}

/**
 * Why nothing new is taken, in words for the log, and how far that goes: `intake` takes no further messages, `work` nor
 * begins what was handed over already. It counts by identity: whoever holds for the same thing uses the same object.
 */
export interface HoldReason {
  readonly why: string;
  readonly extent: 'intake' | 'work';
}

/**
 * Takes nothing from some queues for as long as there is a reason not to. Their consumers are cancelled, what was handed
 * over stays here unacked, and nothing is nacked for waiting: so what is held is bounded by the queues' prefetch, and the
 * delivery limit doesn't count outages. A reason that was given several times is gone when each of them was taken back.
 */
export class IntakeHold {
  private readonly reasons = new Map<HoldReason, number>();
  private readonly stopping = new AbortController();
  private readonly waiting: (() => void)[] = [];
  private switching: Promise<void> = Promise.resolve();
  private waitsEnded = false;
  /** How often each reason has begun to hold; there are as many as constants in the code. */
  private readonly begun = new Map<HoldReason, number>();
  /** Since when no work may begin; undefined while it may. */
  private workHeldSince: number | undefined;

  constructor(
    private readonly consumers: QueueConsumers,
    private readonly queues: readonly string[],
    private readonly logger: BrokerLogger,
  ) {
    // As many listen as retries pause, which the prefetch bounds; Node would take more than ten for a leak.
    setMaxListeners(0, this.stopping.signal);
  }

  /** Aborted by `stop`. */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  /** Whether nothing keeps work from beginning that was handed over. */
  get workMayBegin(): boolean {
    for (const { extent } of this.reasons.keys()) if (extent === 'work') return false;
    return true;
  }

  /** For how long nothing that was handed over may have begun, ms; 0 while it may. */
  get workHeldMs(): number {
    return this.workHeldSince === undefined ? 0 : performance.now() - this.workHeldSince;
  }

  /** Each reason that has held so far: whether it holds now, and how often it began to. */
  get history(): readonly { readonly why: string; readonly holds: boolean; readonly times: number }[] {
    return [...this.begun].map(([reason, times]) => ({ why: reason.why, holds: this.reasons.has(reason), times }));
  }

  /**
   * Takes nothing more until the reason is released.
   * @param cause the error that led to it, for the log
   * @returns resolves once the consumers stand still, or the broker refused that, which is logged; it never rejects
   */
  hold(reason: HoldReason, cause?: unknown): Promise<void> {
    const times = this.reasons.get(reason) ?? 0;
    this.reasons.set(reason, times + 1);
    if (times > 0) return this.switching;
    this.begun.set(reason, (this.begun.get(reason) ?? 0) + 1);
    if (!this.workMayBegin) this.workHeldSince ??= performance.now();
    const { why, extent } = reason;
    this.logger.warn({ reason: why, extent, ...(cause === undefined ? {} : { err: cause }) }, 'no new work is taken');
    if (this.reasons.size === 1) this.switchConsumers();
    return this.switching;
  }

  /** Takes back one `hold` for this reason; without one it does nothing. */
  release(reason: HoldReason): void {
    const times = this.reasons.get(reason);
    if (times === undefined) return;
    this.reasons.set(reason, times - 1);
    if (times > 1) return;
    this.reasons.delete(reason);
    if (this.workMayBegin) this.workHeldSince = undefined;
    this.logger.info({ reason: reason.why }, 'a reason to take no work is gone');
    if (this.reasons.size === 0) this.switchConsumers();
    this.wake();
  }

  /**
   * Waits, unless `work` may begin now, until it may.
   * @returns whether the message is still ours then: else the broker has handed it to somebody anew, who begins it
   * @throws ServiceStops if it does meanwhile, or waits have ended: the message is to be handed back
   */
  whenWorkMayBegin(message: Pick<IncomingMessage, 'isOurs'>): Promise<boolean> {
    return this.workMayBegin ? Promise.resolve(message.isOurs()) : this.awaitBegin(message);
  }

  private async awaitBegin(message: Pick<IncomingMessage, 'isOurs'>): Promise<boolean> {
    while (!this.workMayBegin) {
      if (this.stopped.aborted || this.waitsEnded) throw new ServiceStops('no work may begin');
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    return message.isOurs();
  }

  /** For a service that is about to stop: what has not begun is handed back, and what has goes on being made safe. */
  endWaits(): void {
    this.waitsEnded = true;
    this.wake();
  }

  /** For a service that stops: ends all waits that hang on this, and takes nothing up again. Harmless when repeated. */
  stop(): void {
    this.stopping.abort();
    this.wake();
  }

  /** Each looks for itself whether its work may begin now. */
  private wake(): void {
    for (const proceed of this.waiting.splice(0)) proceed();
  }

  /** One change after another, each to what is wanted by then. */
  private switchConsumers(): void {
    this.switching = this.switching.then(() => this.bringAsWanted());
  }

  private async bringAsWanted(): Promise<void> {
    const { consumers, queues } = this;
    const stand = this.reasons.size > 0;
    if (!stand && this.stopped.aborted) return;
    // All of them end before the next change begins, also if one fails.
    const changes = await Promise.allSettled(
      queues.map(async (queue) => (stand ? consumers.pause(queue) : consumers.resume(queue))),
    );
    for (const change of changes) {
      if (change.status === 'rejected')
        this.logger.error({ err: change.reason as unknown }, 'consumers could not be switched');
    }
  }
}
