import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  DataSource,
  eraseStored,
  finishErasure,
  LOCKS,
  unfinishedErasures,
  withLockIfFree,
  type UnfinishedErasure,
} from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { ErasureSettings } from './erasure-settings.js';
import { ParkedCopies } from '../parked/parked-copies.js';
import { RecurringDuty } from '../duty/recurring-duty.js';

const ERASURES_A_ROUND = 200;

/**
 * Completes erasures that a crash or an outage interrupted between their tombstone and their end, and takes away copies
 * that were parked after it; one replica at a time.
 */
@Injectable()
export class ErasureFinisher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly duty: RecurringDuty;
  /** Where the next round goes on, so that those which can't be finished never keep it from the others. */
  private after: UnfinishedErasure | undefined;

  constructor(
    private readonly parkedCopies: ParkedCopies,
    private readonly dataSource: DataSource,
    private readonly settings: ErasureSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.duty = new RecurringDuty(
      () => this.round(),
      (error) => logger.warn({ err: error }, 'interrupted erasures and copies in parked messages wait'),
    );
  }

  onApplicationBootstrap(): void {
    void this.duty.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.duty.stop();
  }

  private async round(): Promise<number> {
    await withLockIfFree(this.dataSource, LOCKS.finishErasures, async () => {
      await this.finishSome();
      await this.parkedCopies.purgeIfChanged();
    });
    return this.settings.intervalMs;
  }

  private async finishSome(): Promise<void> {
    const tx = this.dataSource.manager;
    const unfinished = await unfinishedErasures(tx, ERASURES_A_ROUND, this.after);
    this.after = unfinished.length < ERASURES_A_ROUND ? undefined : unfinished.at(-1);
    const erased: UnfinishedErasure[] = [];
    for (const key of unfinished) {
      if (this.duty.stopping) break;
      if (await this.eraseStored(key)) erased.push(key);
    }
    if (erased.length === 0) return;
    await this.parkedCopies.purge();
    for (const key of erased) await finishErasure(tx, key);
  }

  /** @returns false if it failed: it is tried again, and nothing else waits for it */
  private async eraseStored(key: UnfinishedErasure): Promise<boolean> {
    try {
      await eraseStored(this.dataSource, key);
      return true;
    } catch (error) {
      const { formId: form_id, submissionId: submission_id } = key;
      this.logger.warn({ err: error, form_id, submission_id }, 'an interrupted erasure waits');
      return false;
    }
  }
}
