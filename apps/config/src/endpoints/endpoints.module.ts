import { Module } from '@nestjs/common';
import { DeliverySettings, HeaderSettings, SealingSettings, SettingsModule } from '@form-webhooks/settings';
import { EndpointSwitchOff } from '@form-webhooks/storage';
import { ChangesModule } from '../changes/changes.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { ApiSettings } from '../http/api-settings.js';
import { EndpointSettings } from './endpoint-settings.js';
import { EndpointEditor } from './endpoint-editor.js';
import { EndpointRules } from './endpoint-rules.js';
import { EndpointSecretsController } from './endpoint-secrets.controller.js';
import { EndpointViews } from './endpoint-views.js';
import { EndpointsController } from './endpoints.controller.js';
import { EndpointHeaders } from './headers/endpoint-headers.js';
import { GoneEndpoints } from './gone-endpoints.js';
import { SecretRotation } from './secret-rotation.js';
import { SecretOverlap } from './secrets/secret-overlap.js';
import { SecretViews } from './secrets/secret-views.js';
import { SigningSecrets } from './signing-secrets.js';
import { TestSend } from './test-send.js';
import { TestSendsController } from './test-sends.controller.js';
import { UrlCheckModule } from '../url-check/url-check.module.js';

/** Endpoints, their signing secrets and test sends. */
@Module({
  imports: [
    SettingsModule.forFeature(ApiSettings, DeliverySettings, EndpointSettings, HeaderSettings, SealingSettings),
    DatabaseModule,
    ChangesModule,
    RateLimitsModule,
    UrlCheckModule,
  ],
  controllers: [EndpointsController, EndpointSecretsController, TestSendsController],
  providers: [
    EndpointEditor,
    EndpointHeaders,
    EndpointRules,
    EndpointViews,
    SecretOverlap,
    SecretRotation,
    SecretViews,
    SigningSecrets,
    TestSend,
    { provide: EndpointSwitchOff, useClass: GoneEndpoints },
  ],
  exports: [EndpointSwitchOff],
})
export class EndpointsModule {}
