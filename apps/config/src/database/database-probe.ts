import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { DatabasePools } from './database-pools.js';

const PROBE_EVERY_MS = 5_000;

/** Knows whether the database answers, so that health can tell without asking it for every look. */
@Injectable()
export class DatabaseProbe {
  private answered = false;
  private probing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pools: DatabasePools,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Whether it answered when it was asked last. */
  get answers(): boolean {
    return this.answered;
  }

  /** From the moment on that the database has answered to everything a start asks. */
  start(): void {
    this.answered = true;
    this.timer = setInterval(() => {
      this.probing ??= this.probe().finally(() => (this.probing = undefined));
    }, PROBE_EVERY_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.probing;
  }

  private async probe(): Promise<void> {
    try {
      // Of a pool that slow calls of tenants can't use up: they say nothing of the database.
      await this.pools.rpc.query('SELECT 1');
      this.answered = true;
    } catch (error) {
      if (this.answered) this.logger.error({ err: error }, 'the database does not answer');
      this.answered = false;
    }
  }
}
