import { Module } from '@nestjs/common';
import { IntakeHold } from '@form-webhooks/broker';
import { SettingsModule } from '@form-webhooks/settings';
import { Metrics, TelemetryModule } from '@form-webhooks/telemetry';
import { AdaptiveAdmission } from '../admission/adaptive-admission.js';
import { AdmissionModule } from '../admission/admission.module.js';
import { AdmissionSettings } from '../admission/admission-settings.js';
import { AttemptDrain } from '../attempt/attempt-drain.js';
import { AttemptModule } from '../attempt/attempt.module.js';
import { DispatcherBrokerModule } from '../broker.module.js';
import { PublishModule } from '../publish/publish.module.js';
import { AttemptFirst } from './attempt-first.js';
import { EndpointRoom } from './bulk-line.js';
import { createBusyShare } from './busy-share.js';
import { FirstTurns } from './first-turns.js';

function createTurns(
  { concurrency }: AdmissionSettings,
  room: EndpointRoom,
  { stopping }: AttemptDrain,
  intake: IntakeHold,
  metrics: Metrics,
): FirstTurns {
  const turns = new FirstTurns(concurrency, createBusyShare(), room, () => intake.workMayBegin);
  stopping.addEventListener('abort', () => turns.end());
  metrics.gauge('webhook_first_attempts_waiting', 'Attempts that wait for their turn.', [], function () {
    this.set(turns.waitingCount);
  });
  return turns;
}

/** First attempts, straight from an event's message. */
@Module({
  imports: [
    SettingsModule.forFeature(AdmissionSettings),
    TelemetryModule,
    DispatcherBrokerModule,
    AdmissionModule,
    AttemptModule,
    PublishModule,
  ],
  providers: [
    AttemptFirst,
    { provide: EndpointRoom, useExisting: AdaptiveAdmission },
    {
      provide: FirstTurns,
      inject: [AdmissionSettings, EndpointRoom, AttemptDrain, IntakeHold, Metrics],
      useFactory: createTurns,
    },
  ],
  exports: [AttemptFirst, FirstTurns],
})
export class FirstAttemptModule {}
