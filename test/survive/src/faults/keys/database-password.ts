import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Fault } from '../fault.js';

/** Deliveries of forms that are known go on without config's database. */
const GOES_ON_WITHIN_MS = 60_000;

/**
 * Config's role gets another password and its connections are ended, as docs/key-compromise.md has it: until config has
 * the new one it can write nothing, and what it should have written waits in the broker.
 */
export const databasePassword: Fault = {
  kind: "a database role's password changed",
  async strike(scene) {
    const configs = scene.stage.of('config');
    const leaked = configs[0]!.env['DATABASE_URL']!;
    const fresh = randomBytes(16).toString('hex');
    await asRole(leaked, async (client) => {
      await client.query(`ALTER ROLE CURRENT_USER PASSWORD '${fresh}'`);
      await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE usename = current_user AND pid <> pg_backend_pid()`);
    });
    await scene.goesOn(GOES_ON_WITHIN_MS);
    if (await logsIn(leaked)) throw new Error('the old password still opens the database');
    scene.healing();
    // All at once: none is ready before it has the new one.
    for (const config of configs) {
      config.set('DATABASE_URL', Object.assign(new URL(config.env['DATABASE_URL']!), { password: fresh }).href);
      await config.terminate();
    }
    for (const config of configs) await config.start();
    await scene.stage.untilReady();
  },
};

async function asRole(url: string, act: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

const logsIn = (url: string): Promise<boolean> =>
  asRole(url, async () => undefined).then(
    () => true,
    () => false,
  );
