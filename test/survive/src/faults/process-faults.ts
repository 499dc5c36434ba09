import type { Fault, Scene } from './fault.js';
import type { AppName } from '../stage/service.js';

const APPS: readonly AppName[] = ['config', 'dispatcher', 'ingest'];
const HOURS_MS = 3_600_000;
const CLOCK_STEPS_MS = [-HOURS_MS, -600_000, -30_000, 30_000, 600_000, HOURS_MS];
/**
 * Config's may be off by a month: days, turns and ages are counted by the database's. A dispatcher's would end what fails
 * once as too old, and ingest's would accept events on days that the log has not.
 */
const CONFIG_STEPS_MS = [...CLOCK_STEPS_MS, -31 * 24 * HOURS_MS, 31 * 24 * HOURS_MS];

const killed = (app: AppName): Fault => ({
  kind: `kill -9 ${app}`,
  async strike(scene) {
    const service = scene.random.pick(scene.stage.of(app));
    await scene.kill(service);
    scene.healing();
    await service.start();
  },
});

const terminated = (app: AppName): Fault => ({
  kind: `SIGTERM ${app}`,
  async strike(scene) {
    const service = scene.random.pick(scene.stage.of(app));
    await service.terminate();
    scene.healing();
    await service.start();
  },
});

const frozen = (app: AppName): Fault => ({
  kind: `freeze ${app}`,
  async strike(scene) {
    const service = scene.random.pick(scene.stage.of(app));
    service.freeze();
    await scene.last('short');
    scene.healing();
    service.thaw();
  },
});

const clockStepped = (app: AppName): Fault => ({
  kind: `clock step ${app}`,
  async strike(scene) {
    const service = scene.random.pick(scene.stage.of(app));
    service.stepClock(scene.random.pick(app === 'config' ? CONFIG_STEPS_MS : CLOCK_STEPS_MS));
    await scene.last('short');
    scene.healing();
    service.stepClock(0);
  },
});

/** Longer than any cached answer is fresh: dispatchers and ingest go on with what they know. */
const configAbsent: Fault = {
  kind: 'config absent',
  async strike(scene) {
    const all = scene.stage.of('config');
    for (const service of all) await scene.kill(service);
    await scene.last('long');
    scene.healing();
    for (const service of all) await service.start();
  },
};

/** The dispatchers that hold the form's endpoints go too: the new ones know nothing while config is away. */
const configAndDispatchersAbsent: Fault = {
  kind: 'config absent, dispatchers anew',
  async strike(scene) {
    const all = scene.stage.of('config');
    for (const service of all) await scene.kill(service);
    for (const dispatcher of scene.stage.of('dispatcher')) {
      await scene.kill(dispatcher);
      await dispatcher.start();
    }
    await scene.last('short');
    scene.healing();
    for (const service of all) await service.start();
  },
};

const scaled: Fault = {
  kind: 'dispatchers 1 to 3 to 1',
  async strike(scene) {
    const { stage } = scene;
    const more = [await stage.add('dispatcher'), await stage.add('dispatcher')];
    await stage.untilReady();
    await scene.last('short');
    scene.healing();
    for (const [n, service] of more.entries()) {
      await (n === 0 ? service.terminate() : scene.kill(service));
      await stage.remove(service);
    }
  },
};

/** One after another, each ready again before the next, as a deployment does it. */
export const rollingRestart: Fault = {
  kind: 'rolling restart',
  async strike(scene) {
    for (const service of [...scene.stage.services]) {
      await service.terminate();
      await service.start();
      await scene.stage.untilReady();
    }
    scene.healing();
  },
};

/** As a power cut does it to the machine that runs all of them. */
export const allKilled: Fault = {
  kind: 'kill -9 of every service',
  async strike(scene) {
    const all = [...scene.stage.services];
    await Promise.all(all.map((service) => scene.kill(service)));
    scene.healing();
    await Promise.all(all.map((service) => service.start()));
  },
};

/** What can happen to the product's own processes. */
export const PROCESS_FAULTS: readonly Fault[] = [
  ...APPS.map(killed),
  ...APPS.map(terminated),
  ...APPS.map(frozen),
  ...APPS.map(clockStepped),
  configAbsent,
  configAndDispatchersAbsent,
  scaled,
  rollingRestart,
  allKilled,
];

/** Kills any one process; what happens besides, while a server is away. */
export async function killAny(scene: Scene): Promise<void> {
  const service = scene.random.pick(scene.stage.services);
  await scene.kill(service);
  await service.start();
}
