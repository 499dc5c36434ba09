import type { TraceParent } from '@form-webhooks/domain';

export type SpanKind = 'server' | 'consumer' | 'client';

export interface SpanStart {
  readonly kind: SpanKind;
  /** What it is a part of; without one it begins a trace. */
  readonly parent?: TraceParent | undefined;
  /** What else it works on, as a batch does; at most 128 are kept. */
  readonly links?: readonly TraceParent[];
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span that has begun. */
export interface RunningSpan {
  /** For what follows from it; the parent's own while nothing is traced. */
  readonly traceParent: TraceParent | undefined;
  /** @param failure why it failed, a word from a closed set; absent if it did not */
  end(attributes: SpanAttributes, failure?: string): void;
}

/** Spans of this service, for an operator's collector. Nothing of them reaches receivers. */
export abstract class Tracing {
  abstract begin(name: string, start: SpanStart): RunningSpan;
  /** Sends what has ended; takes at most some seconds. */
  abstract stop(): Promise<void>;
}

/** Traces nothing, and hands on whose trace it is, so that the services behind and the log lines know it. */
export const NO_TRACING: Tracing = {
  begin: (_name, { parent }) => ({ traceParent: parent, end: () => undefined }),
  stop: () => Promise.resolve(),
};
