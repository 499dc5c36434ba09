import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { SealingSettings, SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { ChangesModule } from '../changes/changes.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotentWrites } from './idempotent-writes.js';
import { ShownAgain } from './shown-again.js';

/** Repeated writes are answered again and not made again. Its interceptor sees every route that `@TakesIdempotencyKey()`. */
@Module({
  imports: [SettingsModule.forFeature(SealingSettings), TelemetryModule, DatabaseModule, ChangesModule],
  providers: [IdempotentWrites, ShownAgain, { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor }],
})
export class IdempotencyModule {}
