import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, dropExpiredGrants, dropFullBuckets, dropOldIdempotentWrites } from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';

const SWEEP_MS = 60_000;

/**
 * Drops rows that mean nothing any more: rate-limit buckets that are full again, writes that nobody may repeat
 * now, codes and sessions of the dashboard that have ended.
 */
@Injectable()
export class ExpiredRows implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private sweep: Promise<void> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweep ??= this.run().finally(() => (this.sweep = undefined));
    }, SWEEP_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.sweep;
  }

  private async run(): Promise<void> {
    try {
      await dropFullBuckets(this.dataSource.manager);
      await dropOldIdempotentWrites(this.dataSource.manager);
      await dropExpiredGrants(this.dataSource.manager);
    } catch (error) {
      this.logger.warn({ err: error }, 'expired rows were not dropped; the next round does it');
    }
  }
}
