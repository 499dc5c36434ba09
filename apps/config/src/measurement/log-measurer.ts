import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, LogPartitions, measureLog, upcomingDays, type LogMeasurement } from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { RecurringDuty } from '../duty/recurring-duty.js';

const MEASURE_EACH_MS = 30_000;

/** What was measured, and when by the clock that nobody sets. */
export interface Measurement extends LogMeasurement {
  readonly measuredAt: number;
  /** Days of the log behind today that can take rows. */
  readonly daysAhead: number;
}

/**
 * Asks the database every half minute what alerts need to know of it: a scrape must ask it nothing, however often it
 * comes. Each replica asks for itself, as it costs little.
 */
@Injectable()
export class LogMeasurer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly duty: RecurringDuty;
  private measured: Measurement | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly partitions: LogPartitions,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.duty = new RecurringDuty(
      () => this.measure(),
      (error) => logger.warn({ err: error }, 'the delivery log was not measured'),
    );
  }

  /** What was measured last; undefined before the first time. It stays while the database is away. */
  get latest(): Measurement | undefined {
    return this.measured;
  }

  onApplicationBootstrap(): void {
    void this.duty.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.duty.stop();
  }

  private async measure(): Promise<number> {
    const log = await this.dataSource.transaction(measureLog);
    const daysAhead = await this.countDaysAhead();
    this.measured = { ...log, daysAhead, measuredAt: performance.now() };
    return MEASURE_EACH_MS;
  }

  private async countDaysAhead(): Promise<number> {
    // Yesterday and today come first.
    const [, , ...ahead] = upcomingDays(await this.partitions.now());
    const standing = await this.partitions.standing();
    return ahead.filter((day) => standing.has(day)).length;
  }
}
