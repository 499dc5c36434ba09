import { Module } from '@nestjs/common';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { LogDatabaseModule } from '../database/database.module.js';
import { FormChanges } from './form-changes.js';

/** Telling of changes; whoever changes something that pages show imports this. */
@Module({ imports: [TelemetryModule, LogDatabaseModule], providers: [FormChanges], exports: [FormChanges] })
export class FormChangesModule {}
