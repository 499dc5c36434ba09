import type { DatabaseContact, DataSource } from '@form-webhooks/storage';

/** One pool of connections, by what it is used for, and when it heard of the database last. */
export interface DatabasePool {
  readonly use: string;
  readonly source: DataSource;
  readonly contact: DatabaseContact;
}

/**
 * The connections to the database, in three pools, so that nobody waits for a connection that somebody of another kind
 * holds: not the log for tenants' calls, not the dispatchers' questions for either.
 */
export class DatabasePools {
  constructor(
    /** For what callers of the API ask. */
    readonly api: DatabasePool,
    /** For the delivery log's writer and what works in the background. */
    readonly log: DatabasePool,
    /** For what ingest and the dispatchers ask over the broker. */
    readonly rpc: DatabasePool,
  ) {}

  /** @throws if the database can't be reached */
  async open(): Promise<void> {
    await Promise.all(this.all.map(({ source }) => source.initialize()));
  }

  async close(): Promise<void> {
    const open = this.all.filter(({ source }) => source.isInitialized);
    await Promise.all(open.map(({ source }) => source.destroy()));
  }

  get all(): readonly DatabasePool[] {
    return [this.api, this.log, this.rpc];
  }
}
