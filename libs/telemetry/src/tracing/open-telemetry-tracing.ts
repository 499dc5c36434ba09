import { formatTraceParent, inTime, traceFactsOf, type TraceParent } from '@form-webhooks/domain';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Link,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SamplingResult,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../logging/logger.js';
import { REPLICA, VERSION } from '../replica.js';
import type { TracingOptions } from './start-tracing.js';
import { Tracing, type RunningSpan, type SpanKind, type SpanStart } from './tracing.js';

/** Spans that wait for the collector; of more than these the newest are lost, which the log says. */
const MAX_WAITING = 4_096;
const EXPORT_TIMEOUT_MS = 5_000;
const SENT_EACH_MS = 2_000;
const MAX_LINKS = 128;
const COMPLAIN_EVERY_MS = 60_000;

const KINDS: Readonly<Record<SpanKind, Kind>> = { server: Kind.SERVER, consumer: Kind.CONSUMER, client: Kind.CLIENT };

/** By OpenTelemetry's SDK, over OTLP/HTTP. What it says of itself goes into the log, for the whole process. */
export class OpenTelemetryTracing extends Tracing {
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;

  constructor(
    { endpoint, headers, share }: TracingOptions & { readonly endpoint: string },
    app: string,
    private readonly logger: Logger,
  ) {
    super();
    complainTo(logger);
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      headers: { ...headers },
      timeoutMillis: EXPORT_TIMEOUT_MS,
    });
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes({
        'service.name': `form-webhooks-${app}`,
        'service.version': VERSION,
        'service.instance.id': REPLICA,
      }),
      sampler: new ParentBasedSampler({ root: new SampledLinksOrShare(share) }),
      spanProcessors: [
        new BatchSpanProcessor(exporter, {
          maxQueueSize: MAX_WAITING,
          maxExportBatchSize: 512,
          scheduledDelayMillis: SENT_EACH_MS,
          exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        }),
      ],
    });
    this.tracer = this.provider.getTracer('form-webhooks');
  }

  override begin(name: string, { kind, parent, links = [] }: SpanStart): RunningSpan {
    const within = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent));
    const options = {
      kind: KINDS[kind],
      links: links.slice(0, MAX_LINKS).map((link) => ({ context: contextOf(link) })),
    };
    const span = this.tracer.startSpan(name, options, within);
    return {
      traceParent: parentOf(span.spanContext()),
      end: (attributes, failure) => {
        span.setAttributes(attributes);
        if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
        span.end();
      },
    };
  }

  override async stop(): Promise<void> {
    // It rejects if the collector does not take the last spans: no reason to stop in disorder.
    const sent = this.provider.shutdown().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'the last spans are lost: the collector does not take them');
    });
    await inTime(sent, EXPORT_TIMEOUT_MS);
  }
}

/** Of spans that begin a trace: a share of them, and each that works on something that is traced, as a batch does. */
class SampledLinksOrShare implements Sampler {
  private readonly share: Sampler;

  constructor(share: number) {
    this.share = new TraceIdRatioBasedSampler(share);
  }

  shouldSample(
    within: Context,
    traceId: string,
    name: string,
    kind: Kind,
    attributes: Attributes,
    links: Link[],
  ): SamplingResult {
    if (links.some(({ context }) => (context.traceFlags & TraceFlags.SAMPLED) !== 0)) {
      return { decision: SamplingDecision.RECORD_AND_SAMPLED };
    }
    return this.share.shouldSample(within, traceId, name, kind, attributes, links);
  }

  toString(): string {
    return `SampledLinksOrShare{${this.share.toString()}}`;
  }
}

function contextOf(parent: TraceParent): SpanContext {
  const { traceId, spanId, sampled } = traceFactsOf(parent);
  return { traceId, spanId, isRemote: true, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE };
}

const parentOf = ({ traceId, spanId, traceFlags }: SpanContext): TraceParent =>
  formatTraceParent({ traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 });

/** The SDK says of each batch that it could not send it; once a minute is enough. */
function complainTo(logger: Logger): void {
  let complainedAt = -Infinity;
  const complain = (text: string, ...details: unknown[]): void => {
    if (performance.now() - complainedAt < COMPLAIN_EVERY_MS) return;
    complainedAt = performance.now();
    const said = [text, ...details].map((detail) => (detail instanceof Error ? detail.message : String(detail)));
    logger.warn({ said: said.join(' ').slice(0, 512) }, 'spans are lost: the collector does not take them');
  };
  const quiet = (): void => undefined;
  const sayings = { error: complain, warn: complain, info: quiet, debug: quiet, verbose: quiet };
  diag.setLogger(sayings, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
