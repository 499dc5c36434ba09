import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { InFlightSettings } from './in-flight-settings.js';
import { InFlight } from './in-flight.js';

/** What callers hold of this service at a time. */
@Module({
  imports: [SettingsModule.forFeature(InFlightSettings)],
  providers: [InFlight],
  exports: [InFlight],
})
export class InFlightModule {}
