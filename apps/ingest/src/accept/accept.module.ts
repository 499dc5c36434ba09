import { Broker, laneQueueOf, OTHER_LANES, QueueLengths, type EventLane } from '@form-webhooks/broker';
import { SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { Module } from '@nestjs/common';
import { IngestBrokerModule } from '../broker.module.js';
import { Clock } from '../clock.js';
import { ClockModule } from '../clock.module.js';
import { BrokerEventQueue } from '../queue/broker-event-queue.js';
import { LaneByRate } from '../queue/lane-choice.js';
import { QueueSettings } from '../queue/queue-settings.js';
import { AcceptEvent, EventQueue } from './accept-event.js';
import { IngestMetrics } from './ingest-metrics.js';

function createQueue(broker: Broker, clock: Clock, settings: QueueSettings): EventQueue {
  const { confirmTimeoutMs, formRate, formBurst } = settings;
  const lengths = new QueueLengths(broker.publishing, OTHER_LANES.map(laneQueueOf), broker.logger);
  const lengthOf = (lane: EventLane): number => lengths.lengthOf(laneQueueOf(lane));
  const lanes = new LaneByRate({ perSecond: formRate, burst: formBurst }, () => clock.elapsed(), lengthOf);
  const queue = new BrokerEventQueue(broker.publisher, confirmTimeoutMs, lanes);
  broker.publishing.addStep(async () => queue.forgetConfirms());
  return queue;
}

/** The use case that both doors end in. */
@Module({
  imports: [SettingsModule.forFeature(QueueSettings), TelemetryModule, ClockModule, IngestBrokerModule],
  providers: [
    AcceptEvent,
    IngestMetrics,
    { provide: EventQueue, inject: [Broker, Clock, QueueSettings], useFactory: createQueue },
  ],
  exports: [AcceptEvent, IngestMetrics],
})
export class AcceptModule {}
