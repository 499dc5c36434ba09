import { Injectable } from '@nestjs/common';
import { tooManyRequests } from '@form-webhooks/http-edge';
import { DataSource, limitStatements, type Transaction } from '@form-webhooks/storage';
import { WorkspaceTurns } from './workspace-turns.js';

/** A quarter of the API's connections by default (`DATABASE_POOL_SIZE`). */
const AT_A_TIME = 4;
/** As many as a few pages that are opened at once ask for: each waits for little, and none should be refused for that. */
const WAITING_PER_READ = 16;
const RETRY_AFTER_MS = 5_000;
/** A filter can make the database read much to find little. */
const LONGEST_STATEMENT_MS = 5_000;

/**
 * What a search does with its connection.
 * @param now by the database's clock: which days the log holds must not hang on a replica's
 */
export type LogRead<T> = (tx: Transaction, now: Date) => Promise<T>;

/**
 * Reading in the delivery log, its roll-ups or the audit log on behalf of callers: a few searches of a workspace at a
 * time, each for a bounded time, so that one which searches long in a large log leaves connections to the others. Who
 * waits holds none.
 */
@Injectable()
export class LogReads {
  private readonly turns = new WorkspaceTurns(
    AT_A_TIME,
    () =>
      tooManyRequests(
        RETRY_AFTER_MS,
        'Too many searches of this workspace are under way at a time.',
        'too_many_at_a_time',
      ),
    WAITING_PER_READ,
  );

  constructor(private readonly dataSource: DataSource) {}

  /** @throws Problem 429; an error that `isStatementCancelled` knows if a statement takes longer than it may */
  read<T>(workspaceId: string, work: LogRead<T>, limitMs = LONGEST_STATEMENT_MS): Promise<T> {
    return this.turns.run(workspaceId, () =>
      this.dataSource.transaction(async (tx) => work(tx, await limitStatements(tx, limitMs))),
    );
  }
}
