import type { AppName } from '../stage/service.js';
import type { ServerName } from '../stage/service-proxies.js';
import type { Fault } from './fault.js';

const NOTICED_WITHIN_MS = 60_000;

/**
 * As a packet filter does it that forgets the connections which stand: neither side is told, and new ones pass. Nothing
 * undoes it but the service, which has to say first that it is not ready.
 */
const frozen = (server: ServerName, app: AppName): Fault => ({
  kind: `${server} connections of ${app} frozen`,
  needs: 'proxies',
  async strike(scene) {
    const service = scene.random.pick(scene.stage.of(app));
    const began = performance.now();
    scene.healing();
    service.freezeConnections(server);
    await service.untilNotReady(NOTICED_WITHIN_MS);
    scene.note(`not ready after ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  },
});

/** The connections of one service to one server; for a broker of one node. */
export const FREEZE_FAULTS: readonly Fault[] = [
  frozen('RabbitMQ', 'config'),
  frozen('RabbitMQ', 'dispatcher'),
  frozen('RabbitMQ', 'ingest'),
  frozen('PostgreSQL', 'config'),
];
