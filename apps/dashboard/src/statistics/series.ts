import type { Stats } from '../api/queries.js';
import { stepStarts, type StepRange } from './step-starts.js';

type Counts = Stats['endpoints'][number]['counts'];
type Series = Stats['endpoints'][number]['series'];
type Failures = Stats['endpoints'][number]['failures'];

/** The steps of a range, each with what happened in it: also those in which nothing did. */
export interface Step {
  readonly at: string;
  readonly counts: Counts;
  readonly attempts: number;
  /** Failed attempts by cause; one cause can stand more than once. */
  readonly failures: Failures;
  readonly p50: number | null;
  readonly p95: number | null;
}

const NOTHING: Counts = { pending: 0, retrying: 0, cancelled: 0, failed: 0, delivered: 0 };

const sum = (a: Counts, b: Counts): Counts => ({
  pending: a.pending + b.pending,
  retrying: a.retrying + b.retrying,
  cancelled: a.cancelled + b.cancelled,
  failed: a.failed + b.failed,
  delivered: a.delivered + b.delivered,
});

/**
 * One series of several endpoints' together. Percentiles of several can't be made from their percentiles: the largest
 * stands, which is that of the slowest endpoint.
 */
export function stepsOf(range: StepRange, all: readonly Series[]): Step[] {
  const points = all.flat().map((point) => ({ begun: Date.parse(point.at), point }));
  const starts = stepStarts(range, new Set(points.map(({ begun }) => begun)));
  const within = starts.map((): Series => []);
  for (const { begun, point } of points) within[starts.findLastIndex((start) => start <= begun)]?.push(point);
  return starts.map((start, index) => {
    const here = within[index]!;
    return {
      at: new Date(start).toISOString(),
      counts: here.reduce((total, { counts }) => sum(total, counts), NOTHING),
      attempts: here.reduce((total, { attempts }) => total + attempts, 0),
      failures: here.flatMap(({ failures }) => failures),
      p50: largest(here.map(({ latency_ms }) => latency_ms.p50)),
      p95: largest(here.map(({ latency_ms }) => latency_ms.p95)),
    };
  });
}

export const totalOf = (steps: readonly Step[]): Counts =>
  steps.reduce((total, { counts }) => sum(total, counts), NOTHING);

function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** The end of an axis: the next of 1, 2 or 5 times a power of ten. */
export function niceMax(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= value)!;
}
