import { BrokerModule, QUEUES, type BrokerModuleOptions } from '@form-webhooks/broker';
import { BrokerSettings, SettingsModule } from '@form-webhooks/settings';
import { LOGGER, Metrics, TelemetryModule, type Logger } from '@form-webhooks/telemetry';
import { Module } from '@nestjs/common';
import { QueueSettings } from './queue/queue-settings.js';

/** The broker as ingest uses it. */
@Module({
  imports: [
    BrokerModule.forRootAsync({
      imports: [SettingsModule.forFeature(BrokerSettings, QueueSettings), TelemetryModule],
      inject: [BrokerSettings, QueueSettings, LOGGER, Metrics],
      useFactory: (
        { url }: BrokerSettings,
        queue: QueueSettings,
        logger: Logger,
        meters: Metrics,
      ): BrokerModuleOptions => ({
        url,
        name: 'ingest',
        owner: 'ingest',
        logger,
        meters,
        publisherLimits: { confirmTimeoutMs: queue.confirmTimeoutMs },
        intake: [QUEUES.formEvents],
        prefetch: { [QUEUES.formEvents]: queue.formEventsPrefetch },
      }),
    }),
  ],
  exports: [BrokerModule],
})
export class IngestBrokerModule {}
