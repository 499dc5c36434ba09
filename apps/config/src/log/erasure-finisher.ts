import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, unfinishedErasures } from '@form-webhooks/storage';
import type { Logger } from '@form-webhooks/telemetry';
import { LOGGER } from '../tokens.js';
import { Erasure } from './erasure.js';
import { RecurringDuty } from './recurring-duty.js';

const ROUND_MS = 30_000;
const ERASURES_A_ROUND = 20;

/** Completes erasures that a crash or an outage interrupted between their tombstone and their end. */
@Injectable()
export class ErasureFinisher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly duty: RecurringDuty;

  constructor(
    private readonly erasure: Erasure,
    private readonly dataSource: DataSource,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.duty = new RecurringDuty(
      () => this.finishSome(),
      (error) => logger.warn({ err: error }, 'interrupted erasures wait'),
    );
  }

  onApplicationBootstrap(): void {
    void this.duty.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.duty.stop();
  }

  private async finishSome(): Promise<number> {
    for (const key of await unfinishedErasures(this.dataSource.manager, ERASURES_A_ROUND)) {
      if (this.duty.stopping) break;
      await this.erasure.finish(key);
    }
    return ROUND_MS;
  }
}
