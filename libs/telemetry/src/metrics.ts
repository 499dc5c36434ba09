import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, type MetricObject } from 'prom-client';
import { REPLICA, VERSION } from './replica.js';

/**
 * How often the event loop's lag is looked at, ms. Each look wakes a process that has nothing else to do, and counts as
 * lag itself: every 10 ms, as prom-client has it, costs each service half a hundredth of a core for as long as it runs.
 */
const LAG_LOOK_EVERY_MS = 100;

/** What is known of a metric before anything was counted. */
export interface ShownMetric {
  readonly name: string;
  readonly labels: readonly string[];
  readonly kind: 'histogram' | 'value';
}

/** A value with the labels that it stands under. */
export interface Measured<L extends string> {
  readonly labels: Readonly<Record<L, string>>;
  readonly value: number;
}

/**
 * A service's Prometheus metrics. Labels are only ever small closed sets (a queue, an outcome), never a URL, host,
 * form or workspace: those grow without bound and are personal data.
 */
export class Metrics {
  private readonly registry = new Registry();

  constructor(app: string) {
    this.registry.setDefaultLabels({ app });
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: LAG_LOOK_EVERY_MS });
    this.gauge('service_info', 'Always 1; which replica this is, and of which version', ['replica', 'version']).set(
      { replica: REPLICA, version: VERSION },
      1,
    );
    this.watchCount('service_busy_seconds_total', 'Time in which the event loop was not idle', [], () => [
      { labels: {}, value: performance.eventLoopUtilization().active / 1_000 },
    ]);
  }

  counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** A value read at each scrape: `collect` sets it. */
  gauge<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    collect?: (this: Gauge<L>) => void,
  ): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.registry], ...(collect ? { collect } : {}) });
  }

  histogram<L extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly L[] = [],
  ): Histogram<L> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.registry] });
  }

  /** A value that `read` is asked for at each scrape: it must be at hand, and cost nothing. */
  watch(name: string, help: string, read: () => number): void {
    this.gauge(name, help, [], function () {
      this.set(read());
    });
  }

  /** The same by labels; what `read` does not tell of any more is not shown any more. */
  watchEach<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    read: () => Iterable<Measured<L>>,
  ): void {
    this.gauge(name, help, labelNames, function () {
      this.reset();
      // Without labels a reset leaves a 0, which would be shown as if it had been read.
      if (labelNames.length === 0) this.remove();
      for (const { labels, value } of read()) this.set(labels, value);
    });
  }

  /** A count that somebody else keeps, asked for at each scrape; it only ever grows. */
  watchCount<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    read: () => Iterable<Measured<L>>,
  ): void {
    const collect = function (this: Counter<L>): void {
      this.reset();
      for (const { labels, value } of read()) this.inc(labels, value);
    };
    new Counter({ name, help, labelNames, registers: [this.registry], collect });
  }

  /** What is shown, Node's own metrics included. */
  get shown(): readonly ShownMetric[] {
    // The library hands out the metrics themselves, and tells less of their type.
    const metrics = this.registry.getMetricsAsArray() as readonly (MetricObject & { labelNames?: readonly string[] })[];
    return metrics.map((metric) => ({
      name: metric.name,
      labels: metric.labelNames ?? [],
      kind: metric instanceof Histogram ? 'histogram' : 'value',
    }));
  }

  readonly contentType = this.registry.contentType;

  /** The exposition text. */
  render(): Promise<string> {
    return this.registry.metrics();
  }
}
