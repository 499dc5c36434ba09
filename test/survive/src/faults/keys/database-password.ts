import { randomBytes } from 'node:crypto';
import type { Fault } from '../fault.js';
import { changePassword, endConnections, logsIn, withPassword } from './database-roles.js';

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
    await changePassword(leaked, fresh);
    await endConnections(withPassword(leaked, fresh));
    await scene.goesOn(GOES_ON_WITHIN_MS);
    if (await logsIn(leaked)) throw new Error('the old password still opens the database');
    scene.healing();
    // All at once: none is ready before it has the new one.
    for (const config of configs) {
      config.set('DATABASE_URL', withPassword(config.env['DATABASE_URL']!, fresh));
      await config.terminate();
    }
    for (const config of configs) await config.start();
    await scene.stage.untilReady();
  },
};
