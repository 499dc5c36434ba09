import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Fault, Scene } from './fault.js';

const execute = promisify(execFile);
const AFTERWARDS_MS = 10_000;

/** With who owns the files: the server runs as somebody of its own where the run is root's. */
const copy = (from: string, to: string): Promise<unknown> => execute('cp', ['-a', from, to]);

/** While every config is away, as operations.md has it; dispatchers and ingest go on. */
async function withoutConfig({ stage }: Scene, act: () => Promise<void>): Promise<void> {
  const all = stage.of('config');
  for (const service of all) await service.terminate();
  await stage.postgres.stop();
  await act();
  await stage.postgres.start();
  for (const service of all) await service.start();
  await stage.untilReady();
}

/**
 * What the backup lacks, the log has forgotten; receivers get none of it a second time.
 * @param age lets the backup grow so old @param says whether `RESTORED_AT` says when it was restored
 */
const restored = (kind: string, age: (scene: Scene) => Promise<void>, says: boolean): Fault => ({
  kind,
  async strike(scene) {
    const { dataDir } = scene.stage.postgres;
    const backup = `${dataDir}.backup`;
    await withoutConfig(scene, async () => void (await copy(dataDir, backup)));
    await age(scene);
    scene.healing();
    await withoutConfig(scene, async () => {
      rmSync(dataDir, { recursive: true });
      await copy(backup, dataDir);
      const now = new Date();
      scene.restoredAt.push(now.getTime());
      if (!says) return;
      for (const service of scene.stage.of('config')) service.set('RESTORED_AT', now.toISOString());
    });
    rmSync(backup, { recursive: true });
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
