import { OnceAMinute } from '@form-webhooks/domain';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.js';

/** A service's clock further from config's than this is told of. */
const ALARM_MS = 60_000;

/** A service's own time, ms. */
export interface OwnClock {
  /** Since the epoch; can step when the machine's clock is set. */
  now(): number;
  /** Only ever grows; says nothing about the date. */
  elapsed(): number;
}

const SYSTEM_CLOCK: OwnClock = { now: () => Date.now(), elapsed: () => performance.now() };

/**
 * How far this service's clock is ahead of config's, as far as an answer's way allows to tell: shown as a metric, and
 * told once a minute while the two are more than a minute apart.
 */
export class ClockComparison {
  private aheadMs = 0;
  private readonly alarms: OnceAMinute;

  /** @param consequence what goes wrong then, for the log */
  constructor(
    metrics: Metrics,
    private readonly logger: Pick<Logger, 'error'>,
    private readonly consequence: string,
    private readonly clock = SYSTEM_CLOCK,
  ) {
    const help = "How far this clock is ahead of config's.";
    this.alarms = new OnceAMinute(() => clock.elapsed());
    metrics.watch('webhook_clock_ahead_seconds', help, () => this.aheadMs / 1_000);
  }

  /** @param configNow ms since the epoch; config's answer of just now */
  note(configNow: number): void {
    this.aheadMs = this.clock.now() - configNow;
    if (Math.abs(this.aheadMs) <= ALARM_MS || !this.alarms.isDue()) return;
    this.logger.error({ offsetMs: this.aheadMs }, `this clock and config's differ: ${this.consequence}`);
  }
}
