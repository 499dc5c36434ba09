import { asHeaders, asShare, asUrl } from '../parsers.js';
import { Setting } from '../setting.js';

/** Where this service's spans go, under the names that OpenTelemetry gave these variables. */
export class TracingSettings {
  @Setting({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning: 'the OpenTelemetry collector that takes traces by OTLP over HTTP; without one nothing is traced',
    optional: true,
    parse: asUrl('http', 'https'),
    // It may hold a password.
    secret: true,
  })
  readonly endpoint?: string;

  @Setting({
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    meaning: 'headers of the requests to the collector: name=value, separated by commas, values percent-encoded',
    optional: true,
    parse: asHeaders,
    secret: true,
  })
  readonly headers?: Readonly<Record<string, string>>;

  @Setting({
    env: 'OTEL_TRACES_SAMPLER_ARG',
    meaning: 'the share of traces that is kept, 0 to 1; of a trace that a caller began the caller decides',
    default: '1',
    parse: asShare,
  })
  readonly share: number;
}
