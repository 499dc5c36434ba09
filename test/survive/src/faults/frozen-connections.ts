import type { AppName } from '../stage/service.js';
import type { ServerName } from '../stage/service-proxies.js';
import type { Fault } from './fault.js';

const NOTICED_WITHIN_MS = 60_000;

/** Counts that the delivery log was not written for too long, which is over as soon as it is noticed. */
const HAND_BACKS = 'config_log_hand_backs_total';

/**
 * As a packet filter does it that forgets the connections which stand: neither side is told, and new ones pass. Nothing
 * undoes it but the service, which has to notice first: it says that it is not ready, or it counts what it handed back
 * from a connection that it has replaced by then, and is ready again sooner than anybody asks.
 */
const frozen = (server: ServerName, app: AppName): Fault => ({
  kind: `${server} connections of ${app} frozen`,
  needs: 'proxies',
  async strike(scene) {
    const service = scene.random.pick(scene.stage.of(app));
    const began = performance.now();
    scene.healing();
    const before = await service.metric(HAND_BACKS);
    service.freezeConnections(server);
    const hasNoticed = async (): Promise<boolean> => (await service.metric(HAND_BACKS)) > before;
    await service.untilNotReady(NOTICED_WITHIN_MS, hasNoticed);
    scene.note(`noticed after ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  },
});

/** The connections of one service to one server; for a broker of one node. */
export const FREEZE_FAULTS: readonly Fault[] = [
  frozen('RabbitMQ', 'config'),
  frozen('RabbitMQ', 'dispatcher'),
  frozen('RabbitMQ', 'ingest'),
  frozen('PostgreSQL', 'config'),
];
