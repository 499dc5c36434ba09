import { Module } from '@nestjs/common';
import { Broker, BrokerServer, QUEUES, RetryQueues, SafePublisher } from '@form-webhooks/broker';
import { sharedRungs } from '@form-webhooks/domain';
import { deliveryTurnOf } from '@form-webhooks/messages';
import { DeliverySettings, SettingsModule } from '@form-webhooks/settings';
import { Metrics, TelemetryModule } from '@form-webhooks/telemetry';
import { DelayedPublisher } from '../attempt/settlement.js';
import { DispatcherBrokerModule } from '../broker.module.js';
import { IntakeModule } from '../intake/intake.module.js';
import { RetryUntilPublished } from '../intake/retry-until-published.js';
import { RetrySettings } from '../retry/retry-settings.js';
import { BrokerPublisher } from './broker-publisher.js';
import { MessagePublisher } from './message-publisher.js';

/**
 * A declare costs 4 to 10 ms, but hundreds come at once when a broker is back, and a shared queue is no place for a retry
 * then: right after a broker's death it lets go up to three minutes late. One that waits holds no slot.
 */
const DECLARE_WAIT_MS = 1_000;

function createRetryQueues(
  broker: Broker,
  server: BrokerServer,
  { retrySchedule }: DeliverySettings,
  { queueMarginMs, queuesMax }: RetrySettings,
  metrics: Metrics,
): RetryQueues {
  const options = {
    sharedRungsMs: sharedRungs(retrySchedule),
    idOf: deliveryTurnOf,
    marginMs: queueMarginMs,
    maxLeases: queuesMax,
    declareWaitMs: DECLARE_WAIT_MS,
    dueIsThere: (large: boolean) => server.isAttached(large ? QUEUES.largeDue : QUEUES.due),
  };
  const queues = new RetryQueues(broker.publishing, broker.publisher, options, broker.logger);
  metrics.gauge('webhook_retry_queues', 'Retry queues of single endpoints kept alive.', [], function () {
    this.set(queues.leaseCount);
  });
  metrics.watchCount('webhook_retry_fallbacks_total', 'Delays that a shared queue served instead.', ['why'], () =>
    Object.entries(queues.fallbacks).map(([why, value]) => ({ labels: { why }, value })),
  );
  return queues;
}

/** Publishing what must not be lost, at once or after a delay. */
@Module({
  imports: [
    SettingsModule.forFeature(DeliverySettings, RetrySettings),
    TelemetryModule,
    DispatcherBrokerModule,
    IntakeModule,
  ],
  providers: [
    {
      provide: RetryQueues,
      inject: [Broker, BrokerServer, DeliverySettings, RetrySettings, Metrics],
      useFactory: createRetryQueues,
    },
    {
      provide: BrokerPublisher,
      inject: [SafePublisher, RetryQueues, RetryUntilPublished],
      useFactory: (publisher: SafePublisher, queues: RetryQueues, confirmed: RetryUntilPublished) =>
        new BrokerPublisher(publisher, queues, confirmed),
    },
    { provide: MessagePublisher, useExisting: BrokerPublisher },
    { provide: DelayedPublisher, useExisting: BrokerPublisher },
  ],
  exports: [MessagePublisher, DelayedPublisher, RetryQueues],
})
export class PublishModule {}
