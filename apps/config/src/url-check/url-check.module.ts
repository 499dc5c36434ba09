import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { ConfigBrokerModule } from '../broker.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { UrlCheckSettings } from './url-check-settings.js';
import { UrlCheck } from './url-check.js';

/** Whether a URL may be an endpoint's, asked of the dispatchers. */
@Module({
  imports: [SettingsModule.forFeature(UrlCheckSettings), ConfigBrokerModule, RateLimitsModule],
  providers: [UrlCheck],
  exports: [UrlCheck],
})
export class UrlCheckModule {}
