import { WORK_QUEUES } from '@form-webhooks/broker';
import { expect, vi } from 'vitest';

const WAIT = { timeout: 120_000, interval: 200 };

interface QueryResult {
  readonly result: readonly { readonly metric: Labels; readonly value: [number, string] }[];
}
interface RuleGroups {
  readonly groups: readonly { readonly lastEvaluation: string }[];
}
type Labels = Readonly<Record<string, string>>;

/** Which alerts a Prometheus has fired since this watch began: it keeps each evaluation as a sample of `ALERTS`. */
export class AlertWatch {
  private constructor(
    private readonly prometheusUrl: string,
    private readonly targets: number,
    private readonly since: number,
  ) {}

  /**
   * Begins once Prometheus has seen so many targets and a consumer at each work queue, has evaluated its rules since,
   * and found nothing wrong. Before that it misses targets; config's figures of queues, ten seconds old at most, may
   * be of the moment before a queue had its consumer; and what was scraped a moment ago no rule has looked at yet.
   */
  static async open(prometheusUrl: string, targets: number): Promise<AlertWatch> {
    const ask = new AlertWatch(prometheusUrl, targets, 0);
    await vi.waitFor(async () => {
      expect(await ask.query('count by (app) (service_info)')).toHaveLength(targets);
      const consumed = await ask.query('max by (queue) (broker_queue_consumers) > 0');
      expect(consumed.map(({ metric }) => metric['queue'])).toEqual(expect.arrayContaining([...WORK_QUEUES]));
    }, WAIT);
    await ask.untilEvaluated();
    await vi.waitFor(async () => expect(await ask.query('ALERTS')).toEqual([]), WAIT);
    return new AlertWatch(prometheusUrl, targets, performance.now());
  }

  /** Another one, which begins as this one did: once nothing is wrong. */
  anew(): Promise<AlertWatch> {
    return AlertWatch.open(this.prometheusUrl, this.targets);
  }

  /** Resolves when every target has been scraped so often since the watch began. */
  async untilScraped(times: number): Promise<void> {
    await vi.waitFor(async () => {
      const counts = await this.query(`count_over_time(up[${this.span}])`);
      expect(counts).toHaveLength(this.targets);
      expect(Math.min(...counts.map(({ value }) => Number(value[1])))).toBeGreaterThanOrEqual(times);
    }, WAIT);
  }

  /** The longest that a target took for its figures since the watch began, ms. */
  async slowestScrapeMs(): Promise<number> {
    const [slowest] = await this.query(`max(max_over_time(scrape_duration_seconds[${this.span}]))`);
    return 1_000 * Number(slowest!.value[1]);
  }

  /** The labels of all alerts that have fired: what they are about, too. */
  async fired(): Promise<readonly Labels[]> {
    const series = await this.query(`max_over_time(ALERTS{alertstate="firing"}[${this.span}])`);
    return series.map(({ metric }) => metric);
  }

  /**
   * Resolves when all of them have fired.
   * @param meanwhile done before each look, to keep up what makes them fire
   */
  async untilFired(names: readonly string[], meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> {
    await vi.waitFor(async () => {
      await meanwhile();
      const fired = (await this.fired()).map(({ alertname }) => alertname);
      expect(names.filter((name) => !fired.includes(name))).toEqual([]);
    }, WAIT);
  }

  /** Resolves when each rule has been evaluated since this was called. */
  private async untilEvaluated(): Promise<void> {
    const asked = Date.now();
    await vi.waitFor(async () => {
      const { groups } = await this.get<RuleGroups>('rules');
      expect(groups).not.toEqual([]);
      expect(Math.min(...groups.map(({ lastEvaluation }) => Date.parse(lastEvaluation)))).toBeGreaterThan(asked);
    }, WAIT);
  }

  /** Not a moment before the watch began. */
  private get span(): string {
    return `${Math.max(1, Math.floor((performance.now() - this.since) / 1_000))}s`;
  }

  private async query(query: string): Promise<QueryResult['result']> {
    return (await this.get<QueryResult>(`query?${new URLSearchParams({ query }).toString()}`)).result;
  }

  private async get<T>(path: string): Promise<T> {
    const response = await fetch(`${this.prometheusUrl}/api/v1/${path}`);
    expect(response.status).toBe(200);
    return ((await response.json()) as { data: T }).data;
  }
}
