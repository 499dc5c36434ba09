import { Module } from '@nestjs/common';
import {
  BrokerModule,
  BULK_PREFETCH,
  EVENT_QUEUES,
  isBulk,
  QUEUES,
  type BrokerModuleOptions,
} from '@form-webhooks/broker';
import { SettingsModule } from '@form-webhooks/settings';
import { LOGGER, Metrics, TelemetryModule, type Logger } from '@form-webhooks/telemetry';
import { LARGE_PREFETCH } from './admission/large-bodies/large-prefetch.js';
import { DispatcherSettings } from './settings.js';

/** Beside those whose attempts run, so many events wait for the confirm of their records. */
const EVENTS_UNRECORDED = 500;
/** Longer than a broker that is only slow takes; one that is frozen is found out by its heartbeats. */
const CONFIRM_TIMEOUT_MS = 30_000;

/** The broker as the dispatcher uses it. */
@Module({
  imports: [
    BrokerModule.forRootAsync({
      imports: [SettingsModule.forFeature(DispatcherSettings), TelemetryModule],
      inject: [DispatcherSettings, LOGGER, Metrics],
      useFactory: (settings: DispatcherSettings, logger: Logger, meters: Metrics): BrokerModuleOptions => ({
        url: settings.broker.url,
        name: 'dispatcher',
        owner: 'dispatcher',
        logger,
        meters,
        // A retry published twice could be attempted twice, by two dispatchers.
        publisherLimits: { waitsWhileBlocked: true, confirmTimeoutMs: CONFIRM_TIMEOUT_MS },
        intake: [...EVENT_QUEUES, QUEUES.deliveries, QUEUES.largeDeliveries, QUEUES.due, QUEUES.largeDue],
        prefetch: {
          [QUEUES.deliveries]: settings.admission.prefetch,
          [QUEUES.due]: settings.admission.prefetch,
          [QUEUES.largeDeliveries]: LARGE_PREFETCH,
          [QUEUES.largeDue]: LARGE_PREFETCH,
          ...Object.fromEntries(EVENT_QUEUES.map((queue) => [queue, isBulk(queue) ? BULK_PREFETCH : LARGE_PREFETCH])),
          [QUEUES.events]: settings.admission.prefetch + EVENTS_UNRECORDED,
        },
        // Attempts are aborted half-way, and need time for what follows from that.
        drainWithinMs: 2 * settings.stopTimeoutMs,
      }),
    }),
  ],
  exports: [BrokerModule],
})
export class DispatcherBrokerModule {}
