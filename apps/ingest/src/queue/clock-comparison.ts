import { LOGGER, Metrics, type Logger } from '@form-webhooks/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';

const ALARM_MS = 60_000;
const SAY_AGAIN_MS = 60_000;

/**
 * How far this clock is ahead of config's, as far as an answer's way allows to tell. What an ingest with a wrong clock
 * accepts has a wrong moment for good: deliveries that are too old at once, or days that the log has no room for.
 */
@Injectable()
export class ClockComparison {
  private aheadMs = 0;
  private saidAt = -Infinity;

  constructor(
    private readonly clock: Clock,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const help = "How far this clock is ahead of config's.";
    metrics.watch('webhook_clock_ahead_seconds', help, () => this.aheadMs / 1_000);
  }

  /** @param configNow ms since the epoch; config's answer of just now */
  note(configNow: number): void {
    this.aheadMs = this.clock.now() - configNow;
    if (Math.abs(this.aheadMs) <= ALARM_MS || this.clock.elapsed() - this.saidAt < SAY_AGAIN_MS) return;
    this.saidAt = this.clock.elapsed();
    this.logger.error({ offsetMs: this.aheadMs }, "this clock and config's differ: accepted events get wrong moments");
  }
}
