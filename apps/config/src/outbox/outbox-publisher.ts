import { Inject, Injectable } from '@nestjs/common';
import {
  databaseNow,
  DataSource,
  removeFromOutbox,
  removeOldDeliveries,
  takeOldest,
  takeThese,
  type OutboxRow,
  type Transaction,
} from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { ConfigSettings } from '../settings.js';
import { MessageRelay } from './message-relay.js';
import { tooOldIfBegunBefore } from './too-old-to-send.js';

export interface PublishedBatch {
  readonly taken: number;
  readonly confirmed: number;
}

/**
 * Publishes rows of the outbox and removes those that the broker confirmed, in the transaction that holds their locks:
 * two replicas never publish one row at once, and after a crash the rows are there again (at least once).
 */
@Injectable()
export class OutboxPublisher {
  constructor(
    private readonly dataSource: DataSource,
    private readonly relay: MessageRelay,
    private readonly settings: ConfigSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get available(): boolean {
    return this.relay.available;
  }

  /** A delivery that began too long ago goes unsent, as after a restore; the reconciler ends it in the log. */
  async removeTooOld(): Promise<void> {
    const { delivery, retention } = this.settings;
    const before = tooOldIfBegunBefore(
      await databaseNow(this.dataSource.manager),
      delivery.maxAgeMs,
      retention.restoredAt,
    );
    const removed = await removeOldDeliveries(this.dataSource.manager, before);
    if (removed > 0) this.logger.warn({ deliveries: removed }, 'deliveries in the outbox are too old to be sent');
  }

  publishOldest(): Promise<PublishedBatch> {
    return this.publish(takeOldest);
  }

  publishThese(ids: readonly string[]): Promise<PublishedBatch> {
    return this.publish((tx) => takeThese(tx, ids));
  }

  private publish(take: (tx: Transaction) => Promise<OutboxRow[]>): Promise<PublishedBatch> {
    return this.dataSource.transaction(async (tx) => {
      const rows = await take(tx);
      const results = await Promise.allSettled(rows.map((row) => this.relay.send(row)));
      const confirmed = rows.filter((_, index) => results[index]!.status === 'fulfilled').map((row) => row.id);
      const failure = results.find((result) => result.status === 'rejected');
      if (failure)
        this.logger.warn({ err: failure.reason as unknown, rows: rows.length }, 'outbox rows stay unpublished');
      if (confirmed.length > 0) await removeFromOutbox(tx, confirmed);
      return { taken: rows.length, confirmed: confirmed.length };
    });
  }
}
