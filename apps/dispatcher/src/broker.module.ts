import { Module } from '@nestjs/common';
import { BrokerModule, QUEUES, type BrokerModuleOptions } from '@form-webhooks/broker';
import { SettingsModule } from '@form-webhooks/settings';
import { LOGGER, TelemetryModule, type Logger } from '@form-webhooks/telemetry';
import { DispatcherSettings } from './settings.js';

const EVENTS_PREFETCH = 200;
/** Longer than a broker that is only slow takes; one that is frozen is found out by its heartbeats. */
const CONFIRM_TIMEOUT_MS = 30_000;

/** The broker as the dispatcher uses it. */
@Module({
  imports: [
    BrokerModule.forRootAsync({
      imports: [SettingsModule.forFeature(DispatcherSettings), TelemetryModule],
      inject: [DispatcherSettings, LOGGER],
      useFactory: (settings: DispatcherSettings, logger: Logger): BrokerModuleOptions => ({
        url: settings.broker.url,
        name: 'dispatcher',
        owner: 'dispatcher',
        logger,
        // A retry published twice could be attempted twice, by two dispatchers.
        publisherLimits: { waitsWhileBlocked: true, confirmTimeoutMs: CONFIRM_TIMEOUT_MS },
        intake: [QUEUES.events, QUEUES.deliveries, QUEUES.due],
        prefetch: {
          [QUEUES.deliveries]: settings.admission.prefetch,
          [QUEUES.due]: settings.admission.prefetch,
          [QUEUES.events]: EVENTS_PREFETCH,
        },
        // Attempts are aborted half-way, and need time for what follows from that.
        drainWithinMs: 2 * settings.stopTimeoutMs,
      }),
    }),
  ],
  exports: [BrokerModule],
})
export class DispatcherBrokerModule {}
