import { Injectable } from '@nestjs/common';
import { Metrics } from '@form-webhooks/telemetry';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** What an operator watches of the API. Labels are routes and statuses, never what a caller wrote. */
@Injectable()
export class ApiMetrics {
  private readonly requests;
  private readonly cuts;

  constructor(metrics: Metrics) {
    this.requests = metrics.histogram('config_http_request_duration_seconds', 'How long API requests took', SECONDS, [
      'method',
      'route',
      'status',
    ]);
    this.cuts = metrics.counter('config_http_answers_cut_total', 'Connections cut because nobody read the answer');
  }

  /** `route` is the pattern, undefined for a path that is not served. */
  answered(method: string, route: string | undefined, status: number, ms: number): void {
    this.requests.observe({ method, route: route ?? 'none', status: String(status) }, ms / 1_000);
  }
  cut(): void {
    this.cuts.inc();
  }
}
