import { Module } from '@nestjs/common';
import type { RetryPolicy } from '@form-webhooks/domain';
import { Sender } from '@form-webhooks/sender';
import { DeliverySettings, HeaderSettings, SealingSettings, SettingsModule } from '@form-webhooks/settings';
import { NO_TRACING, TelemetryModule, Tracing } from '@form-webhooks/telemetry';
import { AdmissionModule } from '../admission/admission.module.js';
import { DispatcherBrokerModule } from '../broker.module.js';
import { EndpointDirectory } from '../endpoints/endpoint-directory.js';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { IntakeModule } from '../intake/intake.module.js';
import { PublishModule } from '../publish/publish.module.js';
import { RecordModule } from '../record/record.module.js';
import { RepeatsModule } from '../repeats/repeats.module.js';
import { RetrySettings } from '../retry/retry-settings.js';
import { RetryModule } from '../retry/retry.module.js';
import { SenderModule } from '../sender/sender.module.js';
import { TracedSender } from '../sender/traced-sender.js';
import { DispatcherSettings } from '../settings.js';
import { AttemptDelivery, AttemptSender, DueFormLookup, RETRY_POLICY } from './attempt-delivery.js';
import { AttemptDrain } from './attempt-drain.js';
import { AttemptReport } from './attempt-report.js';
import { AttemptUnlessFinal } from './attempt-unless-final.js';
import { DeliveryTracker } from './delivery-tracker.js';
import { Settlement, StepReport } from './settlement.js';
import { SigningSender } from './signing-sender.js';

const policyOf = ({ retrySchedule, maxAgeMs }: DeliverySettings, { statuses }: RetrySettings): RetryPolicy => ({
  schedule: retrySchedule,
  retryStatuses: statuses,
  deliveryMaxAgeMs: maxAgeMs,
});

const createSender = (
  sender: Sender,
  { keyRing }: SealingSettings,
  { signatureHeader, testHeader }: HeaderSettings,
  { tooLate }: AttemptDrain,
  tracing: Tracing,
): AttemptSender => {
  const signing = new SigningSender(sender, { keyRing, signatureHeader, testHeader }, tooLate);
  return tracing === NO_TRACING ? signing : new TracedSender(signing, tracing);
};

/** One attempt of a delivery, and what follows from it. */
@Module({
  imports: [
    SettingsModule.forFeature(DispatcherSettings, DeliverySettings, HeaderSettings, RetrySettings, SealingSettings),
    TelemetryModule,
    DispatcherBrokerModule,
    AdmissionModule,
    EndpointsModule,
    IntakeModule,
    PublishModule,
    RecordModule,
    RepeatsModule,
    RetryModule,
    SenderModule,
  ],
  providers: [
    AttemptDelivery,
    AttemptDrain,
    AttemptUnlessFinal,
    DeliveryTracker,
    Settlement,
    { provide: StepReport, useClass: AttemptReport },
    { provide: DueFormLookup, useExisting: EndpointDirectory },
    { provide: RETRY_POLICY, inject: [DeliverySettings, RetrySettings], useFactory: policyOf },
    {
      provide: AttemptSender,
      inject: [Sender, SealingSettings, HeaderSettings, AttemptDrain, Tracing],
      useFactory: createSender,
    },
  ],
  exports: [AttemptDelivery, AttemptDrain, AttemptUnlessFinal, DeliveryTracker],
})
export class AttemptModule {}
