import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LogPartitions, retainedDays, upcomingDays } from '@form-webhooks/storage';
import type { Logger } from '@form-webhooks/telemetry';
import { ConfigSettings } from '../settings.js';
import { LOGGER } from '../tokens.js';

const ROUND_MS = 10 * 60_000;
const AFTER_FAILURE_MS = 30_000;

/** Makes the log's coming days and drops those whose retention has ended. Two replicas at it do no harm. */
@Injectable()
export class LogPartitionKeeper implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly partitions: LogPartitions,
    private readonly settings: ConfigSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Nothing is accepted before today stands, unless the database says no: then the rounds go on trying. */
  async onApplicationBootstrap(): Promise<void> {
    this.begin();
    await this.round;
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  /** One round: the partitions that should stand, and only those, stand. */
  async keep(now: number): Promise<void> {
    await this.partitions.make(upcomingDays(now));
    const dropped = await this.partitions.dropBefore(retainedDays(now, this.settings.logRetentionDays).first);
    if (dropped.length > 0) this.logger.info({ days: dropped }, 'days of the delivery log dropped');
  }

  private begin(): void {
    this.round = this.keep(Date.now()).then(
      () => this.schedule(ROUND_MS),
      (error: unknown) => {
        this.logger.error({ err: error }, 'the partitions of the delivery log were not kept');
        this.schedule(AFTER_FAILURE_MS);
      },
    );
  }

  private schedule(ms: number): void {
    if (!this.stopped) this.timer = setTimeout(() => this.begin(), ms);
  }
}
