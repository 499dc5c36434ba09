import { Injectable } from '@nestjs/common';
import { Metrics } from '@form-webhooks/telemetry';
import { Reconciler } from './reconciler.js';

/** Shows what became of deliveries that the broker had lost. */
@Injectable()
export class ReconcilerMetrics {
  constructor(metrics: Metrics, { fates }: Reconciler) {
    metrics.watchCount('config_reconciler_deliveries_total', 'Lost deliveries by what became of them', ['fate'], () =>
      Object.entries(fates).map(([fate, value]) => ({ labels: { fate }, value })),
    );
  }
}
