import { Module } from '@nestjs/common';
import { DeliverySettings, SettingsModule } from '@form-webhooks/settings';
import { Metrics, TelemetryModule } from '@form-webhooks/telemetry';
import { AdaptiveAdmission } from './adaptive-admission.js';
import { AdmissionSettings } from './admission-settings.js';
import { Admission } from './admission.js';

function createAdmission(
  { concurrency, endpointMaxInFlight }: AdmissionSettings,
  { attemptTimeoutMs }: DeliverySettings,
  metrics: Metrics,
): Admission {
  const admission = new AdaptiveAdmission({ concurrency, endpointMaxInFlight, attemptTimeoutMs });
  metrics.gauge('webhook_attempts_in_flight', 'Attempts in flight.', [], function () {
    this.set(admission.size);
  });
  return admission;
}

/** How many attempts run at a time, and who waits. */
@Module({
  imports: [SettingsModule.forFeature(AdmissionSettings, DeliverySettings), TelemetryModule],
  providers: [
    { provide: Admission, inject: [AdmissionSettings, DeliverySettings, Metrics], useFactory: createAdmission },
  ],
  exports: [Admission],
})
export class AdmissionModule {}
