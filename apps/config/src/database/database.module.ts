import { Module } from '@nestjs/common';
import { SealingSettings, SettingsModule } from '@form-webhooks/settings';
import { createDataSource, DataSource } from '@form-webhooks/storage';
import { LOGGER, TelemetryModule, type Logger } from '@form-webhooks/telemetry';
import { DatabaseSettings, PoolSettings } from './database-settings.js';
import { DatabaseProbe } from './database-probe.js';
import { Database } from './database.js';

/** TypeORM's `DataSource`, which is connected by `Database` before anything uses it. */
@Module({
  imports: [SettingsModule.forFeature(DatabaseSettings, PoolSettings, SealingSettings), TelemetryModule],
  providers: [
    Database,
    DatabaseProbe,
    {
      provide: DataSource,
      inject: [DatabaseSettings, PoolSettings, LOGGER],
      useFactory: ({ url }: DatabaseSettings, pool: PoolSettings, logger: Logger) =>
        createDataSource({
          url,
          applicationName: 'form-webhooks config',
          poolSize: pool.size,
          statementTimeoutMs: pool.statementTimeoutMs,
          onIdleError: (error) => logger.warn({ err: error }, 'the database closed an idle connection'),
        }),
    },
  ],
  exports: [Database, DatabaseProbe, DataSource],
})
export class DatabaseModule {}
