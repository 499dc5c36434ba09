import { THIS_BUILD, type AppName } from '../stage/service.js';
import { operate } from '../stage/operator.js';
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
  // Before the first config of that version, beside the others. The job of an earlier one finds nothing to do.
  if (app === 'config' && build !== undefined) await stage.migrate(build);
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

/** Where a dispatcher that doesn't know config's marks puts them aside. */
const WHERE_MARKS_ARE_PARKED = ['dispatcher.events.parked', 'dispatcher.deliveries.parked'];

/** Marks of config are empty messages: what an earlier dispatcher parked of them is to be thrown away, nothing else. */
const markDropped: Fault = {
  kind: 'marks that the earlier version parked',
  needs: 'an earlier build',
  async strike(scene) {
    for (const queue of WHERE_MARKS_ARE_PARKED) {
      type Listed = { readonly messages: readonly { readonly bytes: number; readonly reason: string }[] };
      const { messages } = await operate<Listed>(scene.stage, 'parked', 'list', queue);
      const other = messages.filter(({ bytes }) => bytes > 0);
      if (other.length > 0) throw new Error(`${other.length} in ${queue} are no marks: ${other[0]!.reason}`);
      if (messages.length === 0) continue;
      await operate(scene.stage, 'parked', 'drop', queue, '--limit', String(messages.length));
      scene.note(`${messages.length} marks thrown away of ${queue}`);
    }
    scene.healing();
  },
};

/** Every app's processes in turn. */
export const ROLLING_FAULTS: readonly Fault[] = [nothing, ...DEPLOY_ORDER.map(restartOf)];

/** From the earlier version to this one, back, and forth again: in this order only. */
export const UPGRADE_FAULTS: readonly Fault[] = [
  nothing,
  ...upgrades('upgrade'),
  ...ROLLBACK_ORDER.map((app) => replacementOf(app, 'rollback', ({ stage }) => stage.earlierBuild)),
  ...upgrades('second upgrade'),
  markDropped,
];
