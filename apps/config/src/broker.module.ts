import { Module } from '@nestjs/common';
import { BrokerModule, QUEUES, type BrokerModuleOptions } from '@form-webhooks/broker';
import { BrokerSettings, SettingsModule } from '@form-webhooks/settings';
import { LOGGER, Metrics, TelemetryModule, type Logger } from '@form-webhooks/telemetry';
import { LogSettings } from './log-writing/log-settings.js';

/** The broker as config uses it. */
@Module({
  imports: [
    BrokerModule.forRootAsync({
      imports: [SettingsModule.forFeature(BrokerSettings, LogSettings), TelemetryModule],
      inject: [BrokerSettings, LogSettings, LOGGER, Metrics],
      useFactory: (
        { url }: BrokerSettings,
        log: LogSettings,
        logger: Logger,
        meters: Metrics,
      ): BrokerModuleOptions => ({
        url,
        name: 'config',
        owner: 'config',
        logger,
        meters,
        intake: [QUEUES.deliveryLog],
        prefetch: { [QUEUES.deliveryLog]: log.prefetch },
      }),
    }),
  ],
  exports: [BrokerModule],
})
export class ConfigBrokerModule {}
