import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { Metrics, TelemetryModule } from '@form-webhooks/telemetry';
import { AdmissionSettings } from '../admission/admission-settings.js';
import { AttemptModule } from '../attempt/attempt.module.js';
import { PublishModule } from '../publish/publish.module.js';
import { AttemptFirst } from './attempt-first.js';
import { createBusyShare } from './busy-share.js';
import { FirstTurns } from './first-turns.js';

function createTurns({ concurrency }: AdmissionSettings, metrics: Metrics): FirstTurns {
  const turns = new FirstTurns(concurrency, createBusyShare());
  metrics.gauge('webhook_first_attempts_waiting', 'First attempts that wait for their turn.', [], function () {
    this.set(turns.waitingCount);
  });
  return turns;
}

/** First attempts, straight from an event's message. */
@Module({
  imports: [SettingsModule.forFeature(AdmissionSettings), TelemetryModule, AttemptModule, PublishModule],
  providers: [AttemptFirst, { provide: FirstTurns, inject: [AdmissionSettings, Metrics], useFactory: createTurns }],
  exports: [AttemptFirst],
})
export class FirstAttemptModule {}
