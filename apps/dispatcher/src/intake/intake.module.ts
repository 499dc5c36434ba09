import { Module } from '@nestjs/common';
import { IntakeHold } from '@form-webhooks/broker';
import { SettingsModule } from '@form-webhooks/settings';
import { Metrics, TelemetryModule } from '@form-webhooks/telemetry';
import { DispatcherBrokerModule } from '../broker.module.js';
import { BeginWork } from './begin-work.js';
import { HoldWhileBlocked } from './hold-while-blocked.js';
import { InFlightBytes } from './in-flight-bytes.js';
import { IntakeSettings } from './intake-settings.js';
import { RetryUntilPublished } from './retry-until-published.js';

function createInFlightBytes({ heldBytesMax }: IntakeSettings, intake: IntakeHold, metrics: Metrics): InFlightBytes {
  const inFlightBytes = new InFlightBytes(heldBytesMax, intake);
  metrics.gauge('webhook_held_bytes', 'Bytes of the messages being handled.', [], function () {
    this.set(inFlightBytes.size);
  });
  return inFlightBytes;
}

/** When new work may begin, and what waits until the broker confirms. */
@Module({
  imports: [SettingsModule.forFeature(IntakeSettings), TelemetryModule, DispatcherBrokerModule],
  providers: [
    BeginWork,
    HoldWhileBlocked,
    RetryUntilPublished,
    { provide: InFlightBytes, inject: [IntakeSettings, IntakeHold, Metrics], useFactory: createInFlightBytes },
  ],
  exports: [BeginWork, RetryUntilPublished],
})
export class IntakeModule {}
