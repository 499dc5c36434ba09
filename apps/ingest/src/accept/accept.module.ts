import { Broker } from '@form-webhooks/broker';
import { SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { Module } from '@nestjs/common';
import { IngestBrokerModule } from '../broker.module.js';
import { ClockModule } from '../clock.module.js';
import { BrokerEventQueue } from '../queue/broker-event-queue.js';
import { QueueSettings } from '../queue/queue-settings.js';
import { AcceptEvent, EventQueue } from './accept-event.js';
import { IngestMetrics } from './ingest-metrics.js';

function createQueue(broker: Broker, { confirmTimeoutMs }: QueueSettings): EventQueue {
  const queue = new BrokerEventQueue(broker.publisher, confirmTimeoutMs);
  broker.publishing.addStep(async () => queue.forgetConfirms());
  return queue;
}

/** The use case that both doors end in. */
@Module({
  imports: [SettingsModule.forFeature(QueueSettings), TelemetryModule, ClockModule, IngestBrokerModule],
  providers: [
    AcceptEvent,
    IngestMetrics,
    { provide: EventQueue, inject: [Broker, QueueSettings], useFactory: createQueue },
  ],
  exports: [AcceptEvent, IngestMetrics],
})
export class AcceptModule {}
