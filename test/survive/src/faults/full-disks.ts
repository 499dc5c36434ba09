import type { SmallDisk } from '../stage/small-disk.js';
import type { Fault, Scene } from './fault.js';

/*
 * A server's disk is full, by itself or beside something else on it. Each server has a small file system of its own in
 * such a run.
 */

const BACK_WITHIN_MS = 120_000;

function disksOf({ stage }: Scene): NonNullable<Scene['stage']['disks']> {
  if (!stage.disks) throw new Error('this run has no disks that can be filled');
  return stage.disks;
}

/** Below its `disk_free_limit` the broker raises its alarm: it confirms nothing and takes no publishes. */
const brokerDisk: Fault = {
  kind: 'the disk of RabbitMQ full',
  needs: 'small disks',
  async strike(scene) {
    const { broker } = disksOf(scene);
    await struckWhileFull(scene, broker, 100);
    scene.healing();
    broker.free();
    await scene.stage.untilReady(BACK_WITHIN_MS);
  },
};

/** Nothing of a batch is written, and in the end PostgreSQL can't write what it needs to go on, and ends itself. */
const postgresDisk: Fault = {
  kind: 'the disk of PostgreSQL full',
  needs: 'small disks',
  async strike(scene) {
    const { postgres } = disksOf(scene);
    await struckWhileFull(scene, postgres, 0);
    // Deliveries don't wait for the log.
    await scene.goesOn(BACK_WITHIN_MS);
    await scene.last('short');
    scene.note(`PostgreSQL ${scene.stage.postgres.pid === undefined ? 'had ended' : 'was still up'}`);
    scene.healing();
    postgres.free();
    await scene.stage.postgres.start();
  },
};

async function struckWhileFull(scene: Scene, disk: SmallDisk, leaveMiB: number): Promise<void> {
  disk.fill(leaveMiB);
  await scene.last('short');
  // What the server gave back meanwhile is filled again.
  disk.fill(leaveMiB);
  await scene.last('short');
}

export const DISK_FAULTS: readonly Fault[] = [brokerDisk, postgresDisk];
