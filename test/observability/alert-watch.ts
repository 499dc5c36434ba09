import { expect, vi } from 'vitest';

const WAIT = { timeout: 120_000, interval: 200 };

interface Answer {
  readonly data: { readonly result: readonly { readonly metric: Labels; readonly value: [number, string] }[] };
}
type Labels = Readonly<Record<string, string>>;

/** Which alerts a Prometheus has fired since this watch began: it keeps each evaluation as a sample of `ALERTS`. */
export class AlertWatch {
  private constructor(
    private readonly prometheusUrl: string,
    private readonly since: number,
  ) {}

  /**
   * Begins once Prometheus has seen so many targets and nothing is wrong: before that it misses them, and config's
   * figures, half a minute old at most, may be of the moment before a queue had its consumer.
   */
  static async open(prometheusUrl: string, targets: number): Promise<AlertWatch> {
    const ask = new AlertWatch(prometheusUrl, 0);
    await vi.waitFor(async () => {
      expect(await ask.query('count by (app) (service_info)')).toHaveLength(targets);
      expect(await ask.query('ALERTS')).toEqual([]);
    }, WAIT);
    return new AlertWatch(prometheusUrl, performance.now());
  }

  /** Resolves when every target has been scraped so often since the watch began. */
  async untilScraped(times: number): Promise<void> {
    await vi.waitFor(async () => {
      const counts = await this.query(`count_over_time(up[${this.span}])`);
      expect(Math.min(...counts.map(({ value }) => Number(value[1])))).toBeGreaterThanOrEqual(times);
    }, WAIT);
  }

  /** The names of all alerts that have fired, in order. */
  async fired(): Promise<readonly string[]> {
    const firing = `max_over_time(ALERTS{alertstate="firing"}[${this.span}])`;
    const series = await this.query(`count by (alertname) (${firing})`);
    return series.map(({ metric }) => metric['alertname']!).sort();
  }

  /**
   * Resolves when all of them have fired.
   * @param meanwhile done before each look, to keep up what makes them fire
   */
  async untilFired(names: readonly string[], meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> {
    await vi.waitFor(async () => {
      await meanwhile();
      const fired = await this.fired();
      expect(names.filter((name) => !fired.includes(name))).toEqual([]);
    }, WAIT);
  }

  /** Not a moment before the watch began. */
  private get span(): string {
    return `${Math.max(1, Math.floor((performance.now() - this.since) / 1_000))}s`;
  }

  private async query(query: string): Promise<Answer['data']['result']> {
    const response = await fetch(`${this.prometheusUrl}/api/v1/query?${new URLSearchParams({ query }).toString()}`);
    expect(response.status).toBe(200);
    return ((await response.json()) as Answer).data.result;
  }
}
