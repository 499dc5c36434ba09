import pg from 'pg';

/** One delivery as the log has it at the end. */
export interface LoggedDelivery {
  readonly deliveryId: string;
  readonly state: string;
  readonly attempts: number;
}

const PAGE = 20_000;

/** Looks into the delivery log's tables: what the product's API would show, a million rows at a time. */
export class DeliveryLogReader {
  constructor(private readonly url: string) {}

  /** How many deliveries the reconciler has published again, because it took them for lost. */
  async republished(): Promise<number> {
    const [row] = await this.query<{ count: string }>(
      'SELECT coalesce(sum(republished), 0) AS count FROM reconciliations',
    );
    return Number(row!.count);
  }

  /** How many deliveries are in each state. */
  async states(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.query<{ state: string; count: string }>(
      'SELECT state::text, count(*) FROM deliveries GROUP BY state',
    );
    return new Map(rows.map(({ state, count }) => [state, Number(count)]));
  }

  /** How many deliveries the roll-ups count, by state. */
  async counted(): Promise<ReadonlyMap<string, number>> {
    const [row] = await this.query<Record<string, string>>(
      `SELECT coalesce(sum(pending), 0) AS pending, coalesce(sum(retrying), 0) AS retrying,
              coalesce(sum(cancelled), 0) AS cancelled, coalesce(sum(failed), 0) AS failed,
              coalesce(sum(delivered), 0) AS delivered FROM delivery_counts`,
    );
    return new Map(Object.entries(row!).map(([state, count]) => [state, Number(count)]));
  }

  /** Deliveries whose row disagrees with their attempts: their number, or a `delivered` without a delivered attempt. */
  async inconsistent(): Promise<readonly string[]> {
    const rows = await this.query<{ what: string }>(
      `SELECT format('%s: %s attempts counted, %s stored, %s delivered', d.delivery_id, d.attempt_count,
                     count(a.attempt_id), count(a.attempt_id) FILTER (WHERE a.outcome = 'delivered')) AS what
         FROM deliveries d LEFT JOIN attempts a USING (delivery_id)
        GROUP BY d.delivery_id, d.day, d.attempt_count, d.state
       HAVING d.attempt_count <> count(a.attempt_id)
           OR (d.state = 'delivered') <> (count(a.attempt_id) FILTER (WHERE a.outcome = 'delivered') > 0)
        LIMIT 20`,
    );
    return rows.map(({ what }) => what);
  }

  async *deliveries(): AsyncGenerator<LoggedDelivery> {
    for (let after: readonly [string, string] = ['', '-infinity']; ;) {
      const page = await this.query<{ delivery_id: string; day: string; state: string; attempts: string }>(
        `SELECT delivery_id, day::text, state::text,
                (SELECT count(*) FROM attempts a WHERE a.delivery_id = d.delivery_id) AS attempts
           FROM deliveries d WHERE (delivery_id, day) > ($1, $2::date) ORDER BY delivery_id, d.day LIMIT ${PAGE}`,
        [...after],
      );
      for (const row of page) {
        yield { deliveryId: row.delivery_id, state: row.state, attempts: Number(row.attempts) };
      }
      if (page.length < PAGE) return;
      const last = page.at(-1)!;
      after = [last.delivery_id, last.day];
    }
  }

  private async query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query(sql, values)).rows as Row[];
    } finally {
      await client.end();
    }
  }
}
