import { Module, type Provider } from '@nestjs/common';
import { SealingSettings, SettingsModule } from '@form-webhooks/settings';
import { createDataSource, DatabaseContact, DataSource } from '@form-webhooks/storage';
import { LOGGER, TelemetryModule, type Logger } from '@form-webhooks/telemetry';
import { DatabasePools, type DatabasePool } from './database-pools.js';
import { DatabaseSettings, PoolSettings, SchemaSettings } from './database-settings.js';
import { DatabaseProbe } from './database-probe.js';
import { CurrentSchema } from './current-schema.js';
import { Database } from './database.js';

/** Whoever asked over the broker has stopped waiting by then, and the question itself has expired. */
const RPC_STATEMENT_TIMEOUT_MS = 5_000;

function createPools({ url }: DatabaseSettings, sizes: PoolSettings, logger: Logger): DatabasePools {
  const pool = (use: string, poolSize: number, statementTimeoutMs = sizes.statementTimeoutMs): DatabasePool => {
    const contact = new DatabaseContact();
    const source = createDataSource({
      url,
      applicationName: `form-webhooks config ${use}`,
      poolSize,
      statementTimeoutMs,
      onIdleError: (error) => logger.warn({ err: error, pool: use }, 'the database closed an idle connection'),
      onHeard: () => contact.heard(),
    });
    return { use, source, contact };
  };
  const rpcTimeoutMs = Math.min(sizes.statementTimeoutMs, RPC_STATEMENT_TIMEOUT_MS);
  return new DatabasePools(
    pool('api', sizes.size),
    pool('log', sizes.logSize),
    pool('rpc', sizes.rpcSize, rpcTimeoutMs),
  );
}

/** The pools, which are connected by `Database` before anything uses them. */
@Module({
  imports: [
    SettingsModule.forFeature(DatabaseSettings, PoolSettings, SchemaSettings, SealingSettings),
    TelemetryModule,
  ],
  providers: [
    Database,
    CurrentSchema,
    DatabaseProbe,
    { provide: DatabasePools, inject: [DatabaseSettings, PoolSettings, LOGGER], useFactory: createPools },
  ],
  exports: [Database, DatabasePools, DatabaseProbe],
})
class PoolsModule {}

/** TypeORM's `DataSource`, out of one of the pools. */
const dataSourceOf = (use: 'api' | 'log' | 'rpc'): Provider => ({
  provide: DataSource,
  inject: [DatabasePools],
  useFactory: (pools: DatabasePools) => pools[use].source,
});

/** The database for what callers of the API ask. */
@Module({ imports: [PoolsModule], providers: [dataSourceOf('api')], exports: [PoolsModule, DataSource] })
export class DatabaseModule {}

/** The database for the delivery log's writer and for what works in the background. */
@Module({ imports: [PoolsModule], providers: [dataSourceOf('log')], exports: [DataSource] })
export class LogDatabaseModule {}

/** The database for what ingest and the dispatchers ask over the broker. */
@Module({ imports: [PoolsModule], providers: [dataSourceOf('rpc')], exports: [DataSource] })
export class RpcDatabaseModule {}
