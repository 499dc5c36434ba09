import { Injectable } from '@nestjs/common';
import { groupBy } from '@form-webhooks/domain';
import type { EndpointHealthDto, EndpointHealthListDto } from '@form-webhooks/http-api';
import {
  databaseNow,
  DataSource,
  findEndpoint,
  findFailing,
  listEndpoints,
  nextAttempts,
  readCounts,
  readLatencies,
  readStandings,
  type EndpointStanding,
  type FailingEndpoint,
  type Form,
  type LatencyPoint,
  type StateCounts,
  type StatsRange,
} from '@form-webhooks/storage';
import { notFound } from '../http/problems.js';
import { timing } from './timing.js';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** The most that a form can ever have (`MAX_ENDPOINTS_PER_FORM`). */
const ALL_ENDPOINTS = 100;

/** How a form's endpoints do, from roll-ups and one index: what it costs does not grow with the log. */
@Injectable()
export class EndpointHealth {
  constructor(private readonly dataSource: DataSource) {}

  /** @param endpointId that one alone. @throws Problem 404 */
  async of(form: Form, endpointId: string | undefined): Promise<EndpointHealthListDto> {
    const ids = await this.idsOf(form, endpointId);
    const tx = this.dataSource.manager;
    const range = lastDay((await databaseNow(tx)).getTime());
    const standings = await readStandings(tx, form.id, ids);
    const [failing, next] = [await findFailing(tx, ids), await nextAttempts(tx, ids)];
    const [counts, latencies] = [await readCounts(tx, form.id, range), await readLatencies(tx, form.id, range)];
    const [standingOf, failingOf, countsOf] = [byEndpoint(standings), byEndpoint(failing), byEndpoint(counts)];
    const latenciesOf = groupBy(latencies, (point) => point.endpointId);
    const items = ids.map((id) =>
      showHealth(id, {
        standing: standingOf.get(id),
        failing: failingOf.get(id),
        counts: countsOf.get(id)?.counts,
        latencies: latenciesOf.get(id) ?? [],
        nextAttemptAt: next.get(id),
      }),
    );
    return { items };
  }

  private async idsOf(form: Form, endpointId: string | undefined): Promise<string[]> {
    const tx = this.dataSource.manager;
    if (endpointId === undefined) return (await listEndpoints(tx, form, ALL_ENDPOINTS)).map(({ id }) => id);
    if (!(await findEndpoint(tx, form, endpointId))) throw notFound('endpoint');
    return [endpointId];
  }
}

/** The hour that is under way and those before it, as one step. */
function lastDay(now: number): StatsRange {
  const to = now - (now % HOUR_MS) + HOUR_MS;
  const from = to - DAY_HOURS * HOUR_MS;
  return { from, to, starts: [from] };
}

interface Known {
  readonly standing: EndpointStanding | undefined;
  readonly failing: FailingEndpoint | undefined;
  readonly counts: StateCounts | undefined;
  readonly latencies: readonly LatencyPoint[];
  readonly nextAttemptAt: Date | undefined;
}

function showHealth(id: string, { standing, failing, counts, latencies, nextAttemptAt }: Known): EndpointHealthDto {
  const lastAttemptAt = latest(standing?.lastAttemptAt, failing?.lastFailedAt);
  return {
    endpoint_id: id,
    last_attempt_at: lastAttemptAt?.toISOString() ?? null,
    last_outcome: failing?.lastOutcome ?? (lastAttemptAt ? 'delivered' : null),
    last_response_status: failing?.lastStatus ?? null,
    last_error: failing?.lastError ?? null,
    failing_since: failing?.since.toISOString() ?? null,
    consecutive_failures: failing?.consecutive ?? 0,
    success_rate: successRate(counts),
    ...timing(latencies),
    waiting: standing?.waiting ?? 0,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
  };
}

/** What is being retried counts as not delivered: else a receiver that is down would look fine until the last try. */
function successRate(counts: StateCounts | undefined): number | null {
  const tried = counts ? counts.delivered + counts.failed + counts.retrying : 0;
  return tried === 0 ? null : counts!.delivered / tried;
}

const latest = (...moments: (Date | null | undefined)[]): Date | undefined =>
  moments.filter((at): at is Date => at instanceof Date).sort((a, b) => b.getTime() - a.getTime())[0];

const byEndpoint = <T extends { readonly endpointId: string }>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.endpointId, row]));
