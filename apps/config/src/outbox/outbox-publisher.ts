import { Inject, Injectable } from '@nestjs/common';
import {
  DataSource,
  removeFromOutbox,
  takeOldest,
  takeThese,
  type OutboxRow,
  type Transaction,
} from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { MessageRelay } from './message-relay.js';

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
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get available(): boolean {
    return this.relay.available;
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
