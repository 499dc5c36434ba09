import { Injectable } from '@nestjs/common';
import { Metrics } from '@form-webhooks/telemetry';
import { OutboxRelay } from './outbox-relay.js';

/** What waits in the outbox, as the relay last saw it: a scrape asks the database nothing. */
@Injectable()
export class OutboxMetrics {
  constructor(metrics: Metrics, outbox: OutboxRelay) {
    metrics.gauge('config_outbox_rows', 'Changes and deliveries that wait to be published', [], function () {
      this.set(outbox.lastBacklog().rows);
    });
    metrics.gauge('config_outbox_oldest_seconds', 'For how long the oldest of them has waited', [], function () {
      this.set(outbox.lastBacklog().oldestSeconds);
    });
  }
}
