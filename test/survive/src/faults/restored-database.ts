import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Fault, Scene } from './fault.js';

const execute = promisify(execFile);

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

/** What the backup lacks, the log has forgotten; receivers get none of it a second time. */
const restored: Fault = {
  kind: 'PostgreSQL restored from a backup',
  async strike(scene) {
    const { dataDir } = scene.stage.postgres;
    const backup = `${dataDir}.backup`;
    await withoutConfig(scene, async () => void (await copy(dataDir, backup)));
    await scene.last('long');
    scene.healing();
    await withoutConfig(scene, async () => {
      rmSync(dataDir, { recursive: true });
      await copy(backup, dataDir);
      const now = new Date();
      scene.restoredAt.push(now.getTime());
      for (const service of scene.stage.of('config')) service.set('RESTORED_AT', now.toISOString());
    });
    rmSync(backup, { recursive: true });
  },
};

export const RESTORE_FAULTS: readonly Fault[] = [restored];
