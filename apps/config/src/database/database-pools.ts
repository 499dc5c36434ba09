import type { DataSource } from '@form-webhooks/storage';

/**
 * The connections to the database, in three pools, so that nobody waits for a connection that somebody of another kind
 * holds: not the log for tenants' calls, not the dispatchers' questions for either.
 */
export class DatabasePools {
  constructor(
    /** For what callers of the API ask. */
    readonly api: DataSource,
    /** For the delivery log's writer and what works in the background. */
    readonly log: DataSource,
    /** For what ingest and the dispatchers ask over the broker. */
    readonly rpc: DataSource,
  ) {}

  /** @throws if the database can't be reached */
  async open(): Promise<void> {
    await Promise.all(this.all.map((pool) => pool.initialize()));
  }

  async close(): Promise<void> {
    await Promise.all(this.all.filter((pool) => pool.isInitialized).map((pool) => pool.destroy()));
  }

  private get all(): readonly DataSource[] {
    return [this.api, this.log, this.rpc];
  }
}
