import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { postgresTool } from '@form-webhooks/local';
import { expectNothingWrong } from '../stage/operator.js';
import { THIS_BUILD } from '../stage/service.js';
import type { Stage } from '../stage/stage.js';
import type { Fault, Scene } from './fault.js';

const AFTERWARDS_MS = 10_000;

/** As docs/restoring.md has it, from its second step to the last but for `RESTORED_AT`; no config runs. */
async function restore(stage: Stage, archive: string): Promise<void> {
  const { postgres } = stage;
  const { pathname, username } = new URL(postgres.url);
  const database = pathname.slice(1);
  // The server is another one: no session of before is left, such as one whose connection was frozen.
  await postgres.restart();
  const maintenance = Object.assign(new URL(postgres.url), { pathname: '/postgres' }).href;
  await postgresTool('dropdb', `--maintenance-db=${maintenance}`, database);
  await postgresTool('createdb', `--maintenance-db=${maintenance}`, `--owner=${username}`, database);
  await postgresTool('pg_restore', '--no-owner', `--dbname=${postgres.url}`, archive);
  await stage.migrate(THIS_BUILD);
}

/**
 * What the backup lacks, the log has forgotten; receivers get none of it a second time. Dispatchers and ingest go on.
 * @param age lets the backup grow so old @param says whether `RESTORED_AT` says when it was restored
 */
const restored = (kind: string, age: (scene: Scene) => Promise<void>, says: boolean): Fault => ({
  kind,
  async strike(scene) {
    const { stage } = scene;
    const archive = `${stage.postgres.dataDir}.dump`;
    await postgresTool('pg_dump', '--format=custom', `--file=${archive}`, stage.postgres.url);
    await age(scene);
    scene.healing();
    const configs = stage.of('config');
    for (const service of configs) await service.terminate();
    await restore(stage, archive);
    const now = new Date();
    scene.restoredAt.push(now.getTime());
    for (const service of says ? configs : []) service.set('RESTORED_AT', now.toISOString());
    if (says) await expectNothingWrong(stage, 'restore', 'check');
    for (const service of configs) await service.start();
    await stage.untilReady();
    rmSync(archive);
  },
});

/** A day, in the run's scale: all that is open in the backup is older than a delivery gets. */
async function olderThanDeliveriesGet({ stage }: Scene): Promise<void> {
  const [config] = stage.of('config');
  const [, seconds] = /^(\d+)s$/.exec(config!.env['DELIVERY_MAX_AGE'] ?? '') ?? [];
  if (seconds === undefined) throw new Error('this needs a short day, such as --set DELIVERY_MAX_AGE=150s');
  await wait(Number(seconds) * 1_000 + AFTERWARDS_MS);
}

const RESTORED: Fault = restored('PostgreSQL restored from a backup', (scene) => scene.last('long'), true);

export const RESTORE_FAULTS: readonly Fault[] = [RESTORED];

/** Only in a run that says how long a day is. */
export const OLD_BACKUP_FAULTS: readonly Fault[] = [
  restored('PostgreSQL restored from an old backup', olderThanDeliveriesGet, false),
];
