import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { SettingsModule } from '@form-webhooks/settings';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { DatabaseModule } from '../database/database.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { AccessSettings } from './access-settings.js';
import { TokenSettings } from './tokens/token-settings.js';
import { AccessGuard } from './access.guard.js';
import { AdminKey } from './admin-key.js';
import { Authenticator } from './authenticator.js';
import { CallerCheck } from './caller-check.js';
import { DeclaredAccess } from './declared-access.js';
import { KnownCredentials } from './known-credentials.js';
import { KeyUse } from './key-use.js';
import { RequestBudget } from './request-budget.js';
import { DashboardCallers } from './sessions/dashboard-callers.js';
import { createTokenVerifier, TokenVerifier } from './tokens/token-verifier.js';

/** Who calls, and what they may do. Its guard stands in front of every route, whichever module that is in. */
@Module({
  imports: [
    SettingsModule.forFeature(AccessSettings, TokenSettings),
    TelemetryModule,
    DatabaseModule,
    DiscoveryModule,
    RateLimitsModule,
  ],
  providers: [
    AdminKey,
    Authenticator,
    CallerCheck,
    DashboardCallers,
    DeclaredAccess,
    KeyUse,
    KnownCredentials,
    RequestBudget,
    { provide: TokenVerifier, inject: [TokenSettings], useFactory: createTokenVerifier },
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [AdminKey, CallerCheck, KeyUse, RequestBudget],
})
export class AccessModule {}
