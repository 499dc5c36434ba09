import { readFileSync } from 'node:fs';
import { AddressPolicy } from '@form-webhooks/domain';
import { Sender } from '@form-webhooks/sender';
import type { Logger, Metrics } from '@form-webhooks/telemetry';
import type { DispatcherSettings } from '../settings.js';

/**
 * The sender as configured.
 * @throws RangeError or a file error that names what is wrong; called at start
 */
export function createSender(settings: DispatcherSettings, metrics: Metrics, logger: Logger): Sender {
  const denied = metrics.counter('webhook_egress_denied_total', 'Connections that the address policy refused.');
  if (settings.egressAllow.length > 0) {
    logger.warn(
      { ranges: settings.egressAllow.length },
      'EGRESS_ALLOW: deliveries may reach private addresses: only for development',
    );
  }
  return new Sender({
    addressPolicy: new AddressPolicy({ allow: settings.egressAllow, deny: settings.egressDeny }),
    ports: settings.egressPorts,
    allowedHosts: settings.egressAllowHosts,
    ...(settings.egressCaFile === undefined ? {} : { extraRoots: readFileSync(settings.egressCaFile, 'utf8') }),
    sourceAddresses: settings.sourceAddresses,
    attemptTimeoutMs: settings.attemptTimeoutMs,
    userAgent: settings.userAgent,
    onDenied: (connection) => {
      denied.inc();
      logger.warn({ denied: connection }, 'an address is not allowed');
    },
  });
}
