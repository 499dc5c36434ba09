import { THIS_BUILD, type AppName } from '../stage/service.js';
import type { Fault, Scene } from './fault.js';

/*
 * What a deployment does: each process of an app one after another, the next once all are ready again. How long events
 * wait meanwhile stands in the report, beside how long they wait when nothing happens.
 */

/** Readers before writers: docs/how-to-change.md has why. */
const DEPLOY_ORDER: readonly AppName[] = ['config', 'dispatcher', 'ingest'];
const ROLLBACK_ORDER = DEPLOY_ORDER.toReversed();

/** The load alone, to compare with. */
const nothing: Fault = {
  kind: 'nothing',
  async strike(scene) {
    await scene.last('long');
    scene.healing();
  },
};

async function replace({ stage }: Scene, app: AppName, build?: string): Promise<void> {
  for (const service of stage.of(app)) {
    await service.terminate();
    if (build !== undefined) service.useBuild(build);
    await service.start();
    await stage.untilReady();
  }
}

const restartOf = (app: AppName): Fault => ({
  kind: `rolling restart of ${app}`,
  async strike(scene) {
    await replace(scene, app);
    scene.healing();
  },
});

const replacementOf = (app: AppName, what: string, build: (scene: Scene) => string): Fault => ({
  kind: `${what} of ${app}`,
  needs: 'an earlier build',
  async strike(scene) {
    await replace(scene, app, build(scene));
    scene.healing();
    // Both versions side by side for a while, as a careful deployment has them.
    await scene.last('short');
  },
});

const upgrades = (what: string): Fault[] => DEPLOY_ORDER.map((app) => replacementOf(app, what, () => THIS_BUILD));

/** Every app's processes in turn. */
export const ROLLING_FAULTS: readonly Fault[] = [nothing, ...DEPLOY_ORDER.map(restartOf)];

/** From the earlier version to this one, back, and forth again: in this order only. */
export const UPGRADE_FAULTS: readonly Fault[] = [
  nothing,
  ...upgrades('upgrade'),
  ...ROLLBACK_ORDER.map((app) => replacementOf(app, 'rollback', ({ stage }) => stage.earlierBuild)),
  ...upgrades('second upgrade'),
];
