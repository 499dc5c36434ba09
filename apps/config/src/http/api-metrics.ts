import { Injectable } from '@nestjs/common';
import { Metrics } from '@form-webhooks/telemetry';
import { InFlight } from '../in-flight/in-flight.js';

/**
 * Why it was not found out who calls, or the call was refused for it: no credential was shown, one that is not valid, a
 * cookie by a page of somebody else, too many requests or guesses, or the credential could not be judged.
 */
const REFUSAL_CAUSES = ['no_credential', 'not_valid', 'foreign_page', 'too_many', 'not_checked'] as const;
type RefusalCause = (typeof REFUSAL_CAUSES)[number];

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** What an operator watches of the API. Labels are routes and statuses, never what a caller wrote. */
@Injectable()
export class ApiMetrics {
  private readonly requests;
  private readonly cuts;
  private readonly refusals;

  constructor(metrics: Metrics, inFlight: InFlight) {
    this.requests = metrics.histogram('config_http_request_duration_seconds', 'How long API requests took', SECONDS, [
      'method',
      'route',
      'status',
    ]);
    this.cuts = metrics.counter('config_http_answers_cut_total', 'Connections cut because nobody read the answer');
    this.refusals = metrics.counter('config_callers_refused_total', 'API requests whose caller was refused', ['cause']);
    // An alert on a rate needs the series to be there before the first refusal.
    for (const cause of REFUSAL_CAUSES) this.refusals.inc({ cause }, 0);
    metrics.watch(
      'config_answers_unread_bytes',
      'Bytes of answers that callers have not read yet',
      () => inFlight.totals.bytes,
    );
    metrics.watch('config_callers_in_flight', 'Callers with a request under way', () => inFlight.totals.callers);
  }

  /** @param answered the status of the problem that the caller gets @param hasCredential whether it showed one */
  callerRefused(answered: number, hasCredential: boolean): void {
    this.refusals.inc({ cause: refusalCause(answered, hasCredential) });
  }

  /** `route` is the pattern, undefined for a path that is not served. */
  answered(method: string, route: string | undefined, status: number, ms: number): void {
    this.requests.observe({ method, route: route ?? 'none', status: String(status) }, ms / 1_000);
  }

  /** A connection was cut because its caller did not read the answer. */
  cut(): void {
    this.cuts.inc();
  }
}

function refusalCause(answered: number, hasCredential: boolean): RefusalCause {
  if (answered === 401) return hasCredential ? 'not_valid' : 'no_credential';
  if (answered === 403) return 'foreign_page';
  return answered === 429 ? 'too_many' : 'not_checked';
}
