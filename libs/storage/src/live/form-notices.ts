import type { DataSource, QueryRunner } from 'typeorm';
import type { LimitedClient } from '../connections/limited-client.js';

const CHANNEL = 'form_notices';

/** PostgreSQL takes 8,000 bytes. */
export const MAX_NOTICE_BYTES = 7_900;

/** Tells every replica that listens, this one too. A notice is kept by nobody: who does not listen never gets it. */
export async function sendNotice(dataSource: DataSource, text: string): Promise<void> {
  await dataSource.query('SELECT pg_notify($1, $2)', [CHANNEL, text]);
}

/** A connection of its own on which notices come, from `open` until it is lost or closed. */
export class NoticeConnection {
  private constructor(private readonly runner: QueryRunner) {}

  /** @throws if the database can't be reached */
  static async open(
    dataSource: DataSource,
    told: { readonly onNotice: (text: string) => void; readonly onLost: () => void },
  ): Promise<NoticeConnection> {
    const runner = dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as LimitedClient;
      client.on('notification', ({ channel, payload = '' }) => {
        if (channel === CHANNEL) told.onNotice(payload);
      });
      client.once('end', told.onLost);
      await runner.query(`LISTEN ${CHANNEL}`);
      return new NoticeConnection(runner);
    } catch (error) {
      await runner.release();
      throw error;
    }
  }

  /** A connection on which nothing is asked would not notice that its other end is gone. @throws if it is lost */
  async check(): Promise<void> {
    await this.runner.query('SELECT 1');
  }

  async close(): Promise<void> {
    try {
      // The pool would hand it to somebody else, and the notices with it.
      await this.runner.query(`UNLISTEN ${CHANNEL}`);
      ((await this.runner.connect()) as LimitedClient).removeAllListeners('notification');
    } finally {
      await this.runner.release();
    }
  }
}
