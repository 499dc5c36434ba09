import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import type { Stack } from './stack.js';

const PATIENCE = { timeout: 60_000, interval: 100 };

/** What the reconciler has done so far. */
export interface Reconciled {
  /** Reconciliations that have ended. */
  readonly finished: number;
  /** Deliveries that were published again, in all of them. */
  readonly republished: number;
}

/** The delivery log of a stack, read behind the API's back: by thousands at a time, and the reconciler's own account. */
export class StackLog {
  private constructor(private readonly client: pg.Client) {}

  /** Closed with the test. */
  static async open(stack: Stack): Promise<StackLog> {
    const log = await StackLog.connect(stack);
    onTestFinished(() => log.close());
    return log;
  }

  /** For outside of a test; its user closes it. */
  static async connect(stack: Stack): Promise<StackLog> {
    const client = new pg.Client(stack.service('config').env['DATABASE_URL']);
    client.on('error', () => undefined);
    await client.connect();
    return new StackLog(client);
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /** The form's deliveries that a condition on their row holds for. */
  async idsWhere(formId: string, condition: string): Promise<string[]> {
    const { rows } = await this.client.query<{ id: string }>(
      `SELECT delivery_id AS id FROM deliveries WHERE form_id = $1 AND (${condition}) ORDER BY 1`,
      [formId],
    );
    return rows.map(({ id }) => id);
  }

  /** How many attempts each of the form's deliveries has. */
  async attemptsOf(formId: string): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.client.query<{ id: string; attempts: number }>(
      `SELECT delivery_id AS id, count(*)::int AS attempts FROM attempts JOIN deliveries USING (delivery_id, day)
       WHERE form_id = $1 GROUP BY 1`,
      [formId],
    );
    return new Map(rows.map(({ id, attempts }) => [id, attempts]));
  }

  /** When each attempt of an endpoint began, by the dispatchers' clocks, ms since the epoch, ascending. */
  async attemptStartsOf(endpointId: string): Promise<number[]> {
    const { rows } = await this.client.query<{ ms: number }>(
      `SELECT (extract(epoch FROM started_at) * 1000)::float8 AS ms
       FROM attempts JOIN deliveries USING (delivery_id, day) WHERE endpoint_id = $1 ORDER BY 1`,
      [endpointId],
    );
    return rows.map(({ ms }) => ms);
  }

  /** Messages that config has still to hand to the broker. */
  async unsent(): Promise<number> {
    const { rows } = await this.client.query<{ rows: number }>('SELECT count(*)::int AS rows FROM outbox');
    return rows[0]!.rows;
  }

  /** Tries that were attempted more than once, whatever the delivery: (delivery, generation, try) stands for one POST. */
  async repeatedTries(): Promise<readonly unknown[]> {
    const { rows } = await this.client.query(
      `SELECT delivery_id, generation, try, count(*)::int AS attempts FROM attempts
       GROUP BY 1, 2, 3 HAVING count(*) > 1`,
    );
    return rows;
  }

  async reconciled(): Promise<Reconciled> {
    const { rows } = await this.client.query<Reconciled>(
      `SELECT count(*) FILTER (WHERE phase = 'done')::int AS finished, coalesce(sum(republished), 0)::int AS republished
       FROM reconciliations`,
    );
    return { finished: rows[0]!.finished, republished: rows[0]!.republished };
  }

  /** Resolves when that many reconciliations that began after now have ended. */
  async roundsFromNow(count: number): Promise<void> {
    const { finished } = await this.reconciled();
    // The one under way began before.
    const enough = finished + count + 1;
    await vi.waitFor(async () => {
      const now = await this.reconciled();
      if (now.finished < enough) throw new Error(`${now.finished} of ${enough} reconciliations have ended`);
    }, PATIENCE);
  }
}
