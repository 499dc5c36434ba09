import { inTime } from '@form-webhooks/domain';
import type { BrokerLogger } from './broker-logger.js';
import type { BrokerLink, LinkStep } from './connection/broker-link.js';

const CHECK_TOPOLOGY_EVERY_MS = 30_000;
const CHECK_WITHIN_MS = 20_000;
/** How much sooner the next check comes after one that failed: who declares what was missing may just have done so. */
const SOONER_AFTER_FAILURE = 6;
/** Messages come back unroutable by the thousand; declaring helps once. */
const SOONEST_MS = 1_000;

/**
 * Declares again, on the connection that stands, what somebody may have deleted meanwhile: a binding or an exchange can
 * go without anybody being told. Every half minute, every five seconds while it fails, and at once when a message came
 * back because nothing takes it.
 */
export class TopologyCheck {
  private readonly steps: LinkStep[] = [];
  private timer: NodeJS.Timeout | undefined;
  private checking: Promise<void> | undefined;
  private checkedAt = -Infinity;
  /** How often the connection had been lost when the last check failed; undefined while checks succeed. */
  private failedAfterLosses: number | undefined;
  private toldAt = -Infinity;
  private stopped = false;

  constructor(
    private readonly link: BrokerLink,
    private readonly logger: BrokerLogger,
    private readonly everyMs = CHECK_TOPOLOGY_EVERY_MS,
    private readonly withinMs = CHECK_WITHIN_MS,
  ) {}

  /** What is done at each check; it must be harmless where nothing is missing, and fail on channels of its own. */
  addStep(step: LinkStep): void {
    this.steps.push(step);
  }

  /**
   * False after a check that failed or took too long, until one succeeds. Of another connection it says nothing: there
   * everything was declared anew.
   */
  get fine(): boolean {
    return this.failedAfterLosses !== this.link.losses;
  }

  start(): void {
    this.plan(this.everyMs);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** A message found nobody: the next check comes now. */
  hurry(): void {
    if (this.checking || this.stopped) return;
    this.plan(Math.max(0, this.checkedAt + SOONEST_MS - performance.now()));
  }

  private plan(ms: number): void {
    clearTimeout(this.timer);
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.begin(), ms);
    this.timer.unref();
  }

  private async begin(): Promise<void> {
    this.checkedAt = performance.now();
    // One that is still under way, as where a queue has lost its majority, ends with the connection at the latest.
    this.checking ??= this.check().finally(() => (this.checking = undefined));
    const { losses } = this.link;
    if (!(await inTime(this.checking, this.withinMs))) this.noteOverdue(losses);
    this.plan(this.fine ? this.everyMs : this.everyMs / SOONER_AFTER_FAILURE);
  }

  /** A broker that does not answer to declares takes no messages there either, without any error. */
  private noteOverdue(losses: number): void {
    if (!this.fine || this.stopped || !this.isOf(losses)) return;
    this.failedAfterLosses = losses;
    this.logger.error(
      { connection: this.link.name, after_ms: this.withinMs },
      'the broker does not answer whether exchanges, queues and bindings stand: has a queue lost its majority?',
    );
  }

  /** Never rejects. */
  private async check(): Promise<void> {
    // While it is away readiness says so, and it is set up anew on its return.
    if (!this.link.ready) return;
    const { losses } = this.link;
    try {
      for (const step of this.steps) await this.link.run(step);
      const hadFailed = this.failedAfterLosses !== undefined;
      this.failedAfterLosses = undefined;
      if (hadFailed) this.logger.info({ connection: this.link.name }, 'exchanges, queues and bindings stand again');
    } catch (error) {
      if (!this.isOf(losses)) return;
      const isTold = !this.fine && performance.now() < this.toldAt + this.everyMs;
      this.failedAfterLosses = losses;
      if (isTold) return;
      this.toldAt = performance.now();
      this.logger.error({ connection: this.link.name, err: error }, 'exchanges, queues or bindings are missing');
    }
  }

  /** Whether the connection stands that had been lost so often. */
  private isOf(losses: number): boolean {
    return this.link.ready && this.link.losses === losses;
  }
}
