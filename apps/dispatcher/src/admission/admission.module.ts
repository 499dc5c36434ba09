import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { Metrics, TelemetryModule } from '@form-webhooks/telemetry';
import { AdmissionSettings } from './admission-settings.js';
import { Admission } from './admission.js';
import { FixedAdmission } from './fixed-admission.js';

function createAdmission(settings: AdmissionSettings, metrics: Metrics): Admission {
  const admission = new FixedAdmission(settings);
  metrics.gauge('webhook_attempts_in_flight', 'Attempts in flight.', [], function () {
    this.set(admission.size);
  });
  return admission;
}

/** How many attempts run at a time, and who waits. */
@Module({
  imports: [SettingsModule.forFeature(AdmissionSettings), TelemetryModule],
  providers: [{ provide: Admission, inject: [AdmissionSettings, Metrics], useFactory: createAdmission }],
  exports: [Admission],
})
export class AdmissionModule {}
