import { Module } from '@nestjs/common';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { LogDatabaseModule } from '../database/database.module.js';
import { NoticeSender } from './notice-sender.js';

/** Telling of changes; whoever changes something that pages show imports this. */
@Module({ imports: [TelemetryModule, LogDatabaseModule], providers: [NoticeSender], exports: [NoticeSender] })
export class NoticeSenderModule {}
