import { Injectable } from '@nestjs/common';
import { Metrics } from '@form-webhooks/telemetry';
import { EndpointDirectory } from './endpoint-directory.js';

/** Shows how well forms can be looked up. */
@Injectable()
export class DirectoryMetrics {
  constructor(metrics: Metrics, directory: EndpointDirectory) {
    metrics.watchCount('webhook_form_lookups_total', 'Questions to config about forms.', ['result'], () =>
      Object.entries(directory.lookups).map(([result, value]) => ({ labels: { result }, value })),
    );
    metrics.watch('webhook_forms_kept', 'Forms of which an answer of config is kept.', () => directory.formsKept);
    metrics.watch(
      'webhook_config_silent_seconds',
      'For how long config has left questions about forms unanswered.',
      () => directory.silentMs / 1_000,
    );
  }
}
