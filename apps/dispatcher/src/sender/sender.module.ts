import { Module, type OnModuleDestroy } from '@nestjs/common';
import { Sender } from '@form-webhooks/sender';
import { SettingsModule } from '@form-webhooks/settings';
import { LOGGER, Metrics, TelemetryModule } from '@form-webhooks/telemetry';
import { DispatcherSettings } from '../settings.js';
import { createSender } from './create-sender.js';

/** The one way to the internet. */
@Module({
  imports: [SettingsModule.forFeature(DispatcherSettings), TelemetryModule],
  providers: [{ provide: Sender, inject: [DispatcherSettings, Metrics, LOGGER], useFactory: createSender }],
  exports: [Sender],
})
export class SenderModule implements OnModuleDestroy {
  constructor(private readonly sender: Sender) {}

  /** The consumers are drained by then: nobody sends any more. */
  onModuleDestroy(): void {
    this.sender.close();
  }
}
