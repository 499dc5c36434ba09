import { Module } from '@nestjs/common';
import { Broker, ConsumerCount, QUEUES } from '@form-webhooks/broker';
import { DeliverySettings, SettingsModule } from '@form-webhooks/settings';
import { Metrics, TelemetryModule } from '@form-webhooks/telemetry';
import { DispatcherBrokerModule } from '../broker.module.js';
import { AdaptiveAdmission } from './adaptive-admission.js';
import { AdmissionSettings } from './admission-settings.js';
import { Admission } from './admission.js';
import { boundSockets, readOpenFilesLimit } from './open-files.js';
import { BodyBudget } from './large-bodies/body-budget.js';
import { DispatcherCount } from './dispatcher-count.js';

function createAdmission(
  { concurrency, endpointMaxInFlight }: AdmissionSettings,
  { attemptTimeoutMs }: DeliverySettings,
  dispatchers: DispatcherCount,
  metrics: Metrics,
): AdaptiveAdmission {
  const bounds = boundSockets(concurrency, readOpenFilesLimit());
  const limits = {
    concurrency: bounds.concurrency,
    endpointMaxInFlight: Math.min(endpointMaxInFlight, bounds.concurrency),
    attemptTimeoutMs,
  };
  const admission = new AdaptiveAdmission(limits, dispatchers);
  metrics.gauge('webhook_attempts_limit', 'Attempts at a time, as the limit of open files allows.', [], function () {
    this.set(bounds.concurrency);
  });
  metrics.gauge('webhook_attempts_in_flight', 'Attempts in flight.', [], function () {
    this.set(admission.size);
  });
  metrics.watch(
    'webhook_slots_in_use',
    'Slots in use: what hangs takes only its share of them.',
    () => admission.slotsInUse,
  );
  metrics.watch('webhook_slots_waiting', 'Deliveries that wait in memory for a slot.', () => admission.waitingCount);
  metrics.watch(
    'webhook_suspect_endpoints',
    'Endpoints with attempts in flight that take too long.',
    () => admission.suspectCount,
  );
  metrics.gauge('webhook_dispatchers', 'Dispatchers that share the rates of endpoints.', [], function () {
    this.set(dispatchers.count);
  });
  return admission;
}

function createBudget(admission: AdaptiveAdmission, metrics: Metrics): Admission {
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
      provide: AdaptiveAdmission,
      inject: [AdmissionSettings, DeliverySettings, DispatcherCount, Metrics],
      useFactory: createAdmission,
    },
    { provide: Admission, inject: [AdaptiveAdmission, Metrics], useFactory: createBudget },
  ],
  exports: [Admission, AdaptiveAdmission],
})
export class AdmissionModule {}
