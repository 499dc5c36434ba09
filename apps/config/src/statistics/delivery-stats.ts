import { Injectable } from '@nestjs/common';
import { DELIVERY_STATES, groupBy, rfc3339, type DeliveryState } from '@form-webhooks/domain';
import {
  STATS_STEPS,
  type EndpointStatsDto,
  type FailureCountDto,
  type StatsDto,
  type StatsQueryDto,
  type StatsStep,
} from '@form-webhooks/http-api';
import {
  readCounts,
  readFailures,
  readLatencies,
  type FailurePoint,
  type Form,
  type LatencyPoint,
  type StatsPoint,
  type StatsRange,
  type Transaction,
} from '@form-webhooks/storage';
import { invalid } from '../http/problems.js';
import { LogReads } from '../in-flight/log-reads.js';
import { equalSteps, lengthOf, ZoneClock } from './time-steps.js';
import { timing } from './timing.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MAX_POINTS = 200;

/** Statistics of a form's deliveries, from the hourly roll-ups alone. */
@Injectable()
export class DeliveryStats {
  constructor(private readonly reads: LogReads) {}

  /**
   * In a turn of the workspace from the first row to the answer: each step has a row for every length of an attempt, so
   * that what is read for one answer can be 100,000 rows.
   * @throws Problem 422, 429
   */
  of(form: Form, query: StatsQueryDto): Promise<StatsDto> {
    return this.reads.read(form.workspaceId, (tx, now) => this.read(tx, form, query, now));
  }

  private async read(tx: Transaction, form: Form, query: StatsQueryDto, now: Date): Promise<StatsDto> {
    const { range, step } = rangeOf(query, now.getTime());
    const [counts, latencies] = [await readCounts(tx, form.id, range), await readLatencies(tx, form.id, range)];
    const countsOf = groupBy(counts, ({ endpointId }) => endpointId);
    const latenciesOf = groupBy(latencies, ({ endpointId }) => endpointId);
    const failuresOf = groupBy(await readFailures(tx, form.id, range), ({ endpointId }) => endpointId);
    const ids = new Set([...countsOf.keys(), ...latenciesOf.keys(), ...failuresOf.keys()]);
    return {
      from: rfc3339(range.starts[0]!),
      to: rfc3339(range.to),
      step,
      timezone: query.timezone ?? null,
      endpoints: [...ids].sort().map((id) =>
        endpointStats(id, {
          counts: countsOf.get(id) ?? [],
          latencies: latenciesOf.get(id) ?? [],
          failures: failuresOf.get(id) ?? [],
        }),
      ),
    };
  }
}

function rangeOf(query: StatsQueryDto, now: number): { range: StatsRange; step: StatsStep } {
  const to = ceilHour(query.to === undefined ? now : Date.parse(query.to));
  const from = floorHour(query.from === undefined ? to - DAY_MS : Date.parse(query.from));
  if (from >= to) throw invalid({ field: 'from', code: 'too_late', message: 'from must be before to.' });
  const fits = (step: StatsStep): boolean => (to - from) / lengthOf(step) <= MAX_POINTS;
  const step = query.step ?? STATS_STEPS.find(fits);
  if (step === undefined || !fits(step)) {
    const message = `from to to is more than ${MAX_POINTS} steps.`;
    throw invalid({ field: 'step', code: 'too_many_points', message });
  }
  const { timezone } = query;
  const starts = timezone === undefined ? equalSteps(from, to, step) : new ZoneClock(timezone).steps(from, to, step);
  // Of the hours that are counted, the first that begins in the first step.
  return { range: { from: ceilHour(starts[0]!), to, starts }, step };
}

const floorHour = (ms: number): number => ms - (ms % HOUR_MS);
const ceilHour = (ms: number): number => floorHour(ms + HOUR_MS - 1);

interface Counted {
  readonly counts: readonly StatsPoint[];
  readonly latencies: readonly LatencyPoint[];
  readonly failures: readonly FailurePoint[];
}

function endpointStats(id: string, { counts, latencies, failures }: Counted): EndpointStatsDto {
  const total = sumCounts(counts);
  const finished = total.delivered + total.failed;
  const steps = new Set([...counts, ...latencies, ...failures].map(({ at }) => at));
  const bins = groupBy(latencies, ({ at }) => at);
  const states = groupBy(counts, ({ at }) => at);
  const causes = groupBy(failures, ({ at }) => at);
  return {
    endpoint_id: id,
    counts: total,
    success_rate: finished === 0 ? null : total.delivered / finished,
    ...timing(latencies),
    failures: sumFailures(failures),
    series: [...steps]
      .sort((a, b) => a - b)
      .map((at) => ({
        at: rfc3339(at),
        counts: sumCounts(states.get(at) ?? []),
        ...timing(bins.get(at) ?? []),
        failures: sumFailures(causes.get(at) ?? []),
      })),
  };
}

function sumCounts(points: readonly StatsPoint[]): Record<DeliveryState, number> {
  const sum = { pending: 0, retrying: 0, cancelled: 0, failed: 0, delivered: 0 };
  for (const { counts } of points) for (const state of DELIVERY_STATES) sum[state] += counts[state];
  return sum;
}

/** The most frequent first. */
function sumFailures(points: readonly FailurePoint[]): FailureCountDto[] {
  return [...groupBy(points, ({ cause }) => cause)]
    .map(([cause, some]) => ({ cause, attempts: some.reduce((sum, { attempts }) => sum + attempts, 0) }))
    .sort((a, b) => b.attempts - a.attempts || (a.cause < b.cause ? -1 : 1));
}
