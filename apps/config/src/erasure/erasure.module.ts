import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { ChangesModule } from '../changes/changes.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { ParkedModule } from '../parked/parked.module.js';
import { ErasureSettings } from './erasure-settings.js';
import { ErasureFinisher } from './erasure-finisher.js';
import { Erasure } from './erasure.js';
import { SubmissionsController } from './submissions.controller.js';

/** Erasing a submission's data. */
@Module({
  imports: [SettingsModule.forFeature(ErasureSettings), TelemetryModule, DatabaseModule, ChangesModule, ParkedModule],
  controllers: [SubmissionsController],
  providers: [Erasure, ErasureFinisher],
})
export class ErasureModule {}
