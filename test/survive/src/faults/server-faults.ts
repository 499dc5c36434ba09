import type { Fault, Scene } from './fault.js';
import { killAny } from './process-faults.js';
import type { Stage } from '../stage/stage.js';

interface Outage {
  readonly kind: string;
  readonly down: (stage: Stage) => Promise<unknown>;
  readonly up: (stage: Stage) => Promise<unknown>;
}

const momentary = ({ kind, down, up }: Outage): Fault => ({
  kind,
  async strike(scene) {
    await down(scene.stage);
    scene.healing();
    await up(scene.stage);
  },
});

/** Away for a while, during which one of the product's own processes dies too. */
const absent = ({ kind, down, up }: Outage, span: 'short' | 'long'): Fault => ({
  kind,
  async strike(scene: Scene) {
    await down(scene.stage);
    await scene.last('short');
    await killAny(scene);
    await scene.last(span);
    scene.healing();
    await up(scene.stage);
  },
});

const stopBroker = ({ broker }: Stage): Promise<void> => broker.stop();
const killBroker = ({ broker }: Stage): Promise<void> => broker.kill();
const startBroker = ({ broker }: Stage): Promise<void> => broker.start();
const startPostgres = ({ postgres }: Stage): Promise<void> => postgres.start();

/** "Immediate": every connection is cut, and the next start recovers from the log. */
async function quitPostgres({ postgres }: Stage): Promise<void> {
  const { ended } = postgres;
  if (postgres.pid !== undefined) process.kill(postgres.pid, 'SIGQUIT');
  await ended;
}

/** As a proxy or an idle time-out in the network does it. */
const connectionsClosed: Fault = {
  kind: 'broker connections closed',
  async strike(scene) {
    await scene.stage.broker.ctl('close_all_connections', 'survival run');
    scene.healing();
  },
};

/** No publish is confirmed and no connection that publishes is read. */
const memoryAlarm: Fault = {
  kind: 'broker memory alarm',
  async strike(scene) {
    await scene.stage.broker.ctl('set_vm_memory_high_watermark', '0.00001');
    await scene.last('short');
    scene.healing();
    await scene.stage.broker.ctl('set_vm_memory_high_watermark', '0.4');
  },
};

/** What can happen to PostgreSQL. */
export const POSTGRES_FAULTS: readonly Fault[] = [
  momentary({ kind: 'PostgreSQL restart fast', down: ({ postgres }) => postgres.stop(), up: startPostgres }),
  momentary({ kind: 'PostgreSQL restart immediate', down: quitPostgres, up: startPostgres }),
  momentary({ kind: 'PostgreSQL kill -9', down: ({ postgres }) => postgres.kill(), up: startPostgres }),
  absent({ kind: 'PostgreSQL absent', down: ({ postgres }) => postgres.stop(), up: startPostgres }, 'long'),
];

/** What can happen to the broker as a whole. */
export const BROKER_FAULTS: readonly Fault[] = [
  momentary({ kind: 'broker restart', down: stopBroker, up: startBroker }),
  // What fell due within some 50 ms before it is not on disk yet (docs/broker-traps.md, trap 15).
  { ...momentary({ kind: 'broker kill -9', down: killBroker, up: startBroker }), losesMessages: true },
  absent({ kind: 'broker absent', down: stopBroker, up: startBroker }, 'short'),
  connectionsClosed,
  memoryAlarm,
];
