import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { inTime } from '@form-webhooks/domain';
import { databaseNow, DataSource, type Actor, type Transaction } from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { OutboxPublisher } from '../outbox/outbox-publisher.js';
import { FormChanges } from '../live/form-changes.js';
import { ChangeSettings } from './change-settings.js';
import { Change } from './change.js';

/** What must hold for a change to be made, and is taken with it. */
export interface Claim {
  /** Its first statements. @throws Problem if the change must not be made */
  take(tx: Transaction): Promise<void>;
}

/** Who makes a change, and under which claim. */
export type Author = Actor & { readonly claim?: Claim | undefined };

/**
 * The one way to change something: a transaction, its audit entries, and the messages that follow from it. Messages go
 * out after the commit and before the answer, so that a change takes effect on the next delivery; if the broker is away
 * or slow the answer does not wait longer than `ANNOUNCE_TIMEOUT`, and the outbox delivers them later.
 */
@Injectable()
export class Changes implements OnApplicationShutdown {
  private readonly announcing = new Set<Promise<void>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly publisher: OutboxPublisher,
    private readonly settings: ChangeSettings,
    private readonly forms: FormChanges,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Runs `work` in a transaction that is rolled back if it throws. */
  async commit<T>(by: Author, work: (change: Change) => Promise<T>): Promise<T> {
    const { result, touched, outboxIds } = await this.dataSource.transaction(async (tx) => {
      await by.claim?.take(tx);
      const change = new Change(tx, by, await databaseNow(tx));
      const done = await work(change);
      return { result: done, touched: change.touched, outboxIds: await change.finish() };
    });
    for (const { formId, topic } of touched) this.forms.note(formId, topic);
    if (outboxIds.length > 0 && this.publisher.available) await this.announce(outboxIds);
    return result;
  }

  /** Nobody asks for a change any more: what is being announced still needs broker and database. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.announcing);
  }

  private async announce(ids: readonly string[]): Promise<void> {
    const published = this.publisher.publishThese(ids).then(
      () => undefined,
      (error: unknown) => this.logger.warn({ err: error }, 'a change is announced later, by the outbox'),
    );
    this.announcing.add(published);
    void published.finally(() => this.announcing.delete(published));
    await inTime(published, this.settings.announceTimeoutMs);
  }
}
