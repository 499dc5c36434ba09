import { Module } from '@nestjs/common';
import { Broker, ConsumerCount, QUEUES } from '@form-webhooks/broker';
import { DeliverySettings, SettingsModule } from '@form-webhooks/settings';
import { Metrics, TelemetryModule } from '@form-webhooks/telemetry';
import { DispatcherBrokerModule } from '../broker.module.js';
import { AdaptiveAdmission } from './adaptive-admission.js';
import { AdmissionSettings } from './admission-settings.js';
import { Admission } from './admission.js';
import { BodyBudget } from './large-bodies/body-budget.js';
import { DispatcherCount } from './dispatcher-count.js';

function createAdmission(
  { concurrency, endpointMaxInFlight }: AdmissionSettings,
  { attemptTimeoutMs }: DeliverySettings,
  dispatchers: DispatcherCount,
  metrics: Metrics,
): Admission {
  const admission = new AdaptiveAdmission({ concurrency, endpointMaxInFlight, attemptTimeoutMs }, dispatchers);
  metrics.gauge('webhook_attempts_in_flight', 'Attempts in flight.', [], function () {
    this.set(admission.size);
  });
  metrics.gauge('webhook_dispatchers', 'Dispatchers that share the rates of endpoints.', [], function () {
    this.set(dispatchers.count);
  });
  const budget = new BodyBudget(admission);
  metrics.gauge('webhook_large_body_bytes', 'Bytes of large bodies that are being sent.', [], function () {
    this.set(budget.size);
  });
  return budget;
}

/** Each consumes this queue for as long as it runs; the others it may pause. */
const countDispatchers = ({ consuming, logger }: Broker): DispatcherCount =>
  new ConsumerCount(consuming, QUEUES.dispatcherRpc, logger);

/** How many attempts run at a time, and who waits. */
@Module({
  imports: [SettingsModule.forFeature(AdmissionSettings, DeliverySettings), TelemetryModule, DispatcherBrokerModule],
  providers: [
    { provide: DispatcherCount, inject: [Broker], useFactory: countDispatchers },
    {
      provide: Admission,
      inject: [AdmissionSettings, DeliverySettings, DispatcherCount, Metrics],
      useFactory: createAdmission,
    },
  ],
  exports: [Admission],
})
export class AdmissionModule {}
