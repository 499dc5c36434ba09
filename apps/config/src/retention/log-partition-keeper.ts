import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  DropRefused,
  LogPartitions,
  NO_WORKSPACE,
  retainedDays,
  SYSTEM,
  upcomingDays,
  type LogDay,
} from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { Changes } from '../changes/changes.js';
import { RetentionReport } from './retention-report.js';
import { RetentionSettings } from './retention-settings.js';
import { RecurringDuty } from '../duty/recurring-duty.js';

const ROUND_MS = 10 * 60_000;

/**
 * Makes the log's coming days and drops those whose retention has ended, by the database's clock. Two replicas at it do
 * no harm. A clock that is far ahead would drop the whole log: more days than a pause of the service explains stay, and
 * all of them while its own clock and the database's differ. Such a round has not failed, and the next one is as far away
 * as after any other.
 */
@Injectable()
export class LogPartitionKeeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly duty: RecurringDuty;

  constructor(
    private readonly partitions: LogPartitions,
    private readonly changes: Changes,
    private readonly settings: RetentionSettings,
    private readonly report: RetentionReport,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.duty = new RecurringDuty(
      () => this.keep(),
      (error) => logger.error({ err: error }, 'the partitions of the delivery log were not kept'),
    );
  }

  /** Nothing is accepted before today stands, unless the database says no: then the rounds go on trying. */
  onApplicationBootstrap(): Promise<void> {
    return this.duty.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.duty.stop();
  }

  private async keep(): Promise<number> {
    const now = await this.partitions.now();
    try {
      await this.partitions.make(upcomingDays(now));
    } finally {
      // Days that can't be made now keep no data longer than its retention.
      await this.drop(now);
    }
    return ROUND_MS;
  }

  private async drop(now: number): Promise<void> {
    try {
      const dropped = await this.dropBefore(retainedDays(now, this.settings.days).first);
      this.report.refused(null);
      if (dropped.length > 0) this.logger.info({ days: dropped }, 'days of the delivery log dropped');
    } catch (error) {
      if (!(error instanceof DropRefused)) throw error;
      this.report.refused(error);
    }
  }

  private dropBefore(first: LogDay): Promise<readonly LogDay[]> {
    const { maxDroppedDays, holdDays } = this.settings;
    const hold = { days: holdDays, told: (days: readonly LogDay[]) => this.report.held(days, holdDays) };
    return this.partitions.dropBefore(first, (days) => this.audit(days), maxDroppedDays, hold);
  }

  /** Before they go, so that no crash comes between; a round that is repeated tells of them again. */
  private audit(days: readonly LogDay[]): Promise<void> {
    return this.changes.commit(SYSTEM, (change) => {
      change.audit({
        workspaceId: NO_WORKSPACE,
        formId: null,
        action: 'log.days_dropped',
        target: { type: 'log', id: days.at(-1)! },
        changes: [
          { field: 'days', old: days, new: [] },
          { field: 'retention_days', new: this.settings.days },
        ],
      });
      return Promise.resolve();
    });
  }
}
