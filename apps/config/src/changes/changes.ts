import { Injectable } from '@nestjs/common';
import { databaseNow, DataSource, type Actor, type Transaction } from '@form-webhooks/storage';
import { NoticeSender } from '../live/notice-sender.js';
import { Announcements } from './announcements.js';
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
export class Changes {
  constructor(
    private readonly dataSource: DataSource,
    private readonly announcements: Announcements,
    private readonly notices: NoticeSender,
  ) {}

  /** Runs `work` in a transaction that is rolled back if it throws. */
  async commit<T>(by: Author, work: (change: Change) => Promise<T>): Promise<T> {
    const { result, touched, outboxIds } = await this.dataSource.transaction(async (tx) => {
      await by.claim?.take(tx);
      const change = new Change(tx, by, await databaseNow(tx));
      const done = await work(change);
      return { result: done, touched: change.touched, outboxIds: await change.finish() };
    });
    for (const { formId, topic } of touched) this.notices.note(formId, topic);
    if (outboxIds.length > 0) await this.announcements.make(outboxIds);
    return result;
  }
}
