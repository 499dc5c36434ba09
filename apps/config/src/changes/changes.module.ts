import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { DatabaseModule } from '../database/database.module.js';
import { FormChangesModule } from '../live/form-changes.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { ChangeSettings } from './change-settings.js';
import { Changes } from './changes.js';

/** The one way to change something; whoever changes something imports this. */
@Module({
  imports: [
    SettingsModule.forFeature(ChangeSettings),
    TelemetryModule,
    DatabaseModule,
    OutboxModule,
    FormChangesModule,
  ],
  providers: [Changes],
  exports: [Changes],
})
export class ChangesModule {}
