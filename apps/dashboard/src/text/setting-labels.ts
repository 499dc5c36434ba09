import type { TextId } from './text.js';

/** How an endpoint's settings are called wherever they are shown, by the names that the API has for them. */
export const SETTING_LABELS = {
  url: 'endpoint.url',
  description: 'endpoint.description',
  events: 'endpoint.events',
  headers: 'settings.headers',
  rate_limit: 'settings.rate',
  retry_schedule: 'settings.schedule',
  retry_statuses: 'settings.statuses',
  redirect_is_success: 'settings.redirect',
} as const satisfies Readonly<Record<string, TextId>>;
