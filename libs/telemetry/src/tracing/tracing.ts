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

/** What a span around some work tells of it. */
export interface SpanStory<T> extends SpanStart {
  /** @param result what the work came to; absent if it threw */
  readonly attributes: (result?: T) => SpanAttributes;
  /** The word for work that threw. */
  readonly whenThrown: string;
  /** The word for a result that is a failure too. */
  readonly failureOf?: (result: T) => string | undefined;
}

/** Spans of this service, for an operator's collector. Nothing of them reaches receivers. */
export abstract class Tracing {
  abstract begin(name: string, start: SpanStart): RunningSpan;

  /**
   * Does work as a span, which ends with it.
   * @param work is told where the span stands, for what follows from it
   * @throws what the work throws
   */
  async during<T>(
    name: string,
    { attributes, whenThrown, failureOf, ...start }: SpanStory<T>,
    work: (traceParent: TraceParent | undefined) => Promise<T>,
  ): Promise<T> {
    const span = this.begin(name, start);
    let result: T;
    try {
      result = await work(span.traceParent);
    } catch (error) {
      span.end(attributes(), whenThrown);
      throw error;
    }
    span.end(attributes(result), failureOf?.(result));
    return result;
  }

  /** Sends what has ended; takes at most some seconds. */
  abstract stop(): Promise<void>;
}

/** Traces nothing, and hands on whose trace it is, so that the services behind and the log lines know it. */
class NoTracing extends Tracing {
  override begin(_name: string, { parent }: SpanStart): RunningSpan {
    return { traceParent: parent, end: () => undefined };
  }

  override during<T>(
    _name: string,
    { parent }: SpanStory<T>,
    work: (traceParent: TraceParent | undefined) => Promise<T>,
  ): Promise<T> {
    return work(parent);
  }

  override stop(): Promise<void> {
    return Promise.resolve();
  }
}

export const NO_TRACING: Tracing = new NoTracing();
