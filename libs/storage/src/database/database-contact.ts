import { inTime } from '@form-webhooks/domain';
import type { DataSource } from 'typeorm';
import type { LimitedClient } from '../connections/limited-client.js';

/** When anything was heard of the database last, over whichever connection of a pool. */
export class DatabaseContact {
  private at = performance.now();

  heard(): void {
    this.at = performance.now();
  }

  get silentMs(): number {
    return performance.now() - this.at;
  }
}

/**
 * What came of a question: an answer; an error; nothing, on a connection that has been ended for it; or no connection
 * came free to ask on.
 */
export interface PingResult {
  readonly outcome: 'answered' | 'failed' | 'silent' | 'no_connection';
  readonly error?: unknown;
}

/** Asks the database over a connection of the pool whether it is there. Never rejects, and never takes longer. */
export async function ping(dataSource: DataSource, withinMs: number): Promise<PingResult> {
  const runner = dataSource.createQueryRunner();
  let client: LimitedClient | undefined;
  const asked = runner
    .connect()
    .then((connected: LimitedClient) => {
      client = connected;
      return connected.query('SELECT 1');
    })
    .finally(() => runner.release());
  try {
    if (await inTime(asked, withinMs)) return { outcome: 'answered' };
  } catch (error) {
    return { outcome: 'failed', error };
  }
  asked.catch(() => undefined);
  if (!client) return { outcome: 'no_connection' };
  client.abandon(`the database did not answer within ${withinMs} ms`);
  return { outcome: 'silent' };
}
