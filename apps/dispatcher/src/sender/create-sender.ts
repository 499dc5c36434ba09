import { readFileSync } from 'node:fs';
import { AddressPolicy } from '@form-webhooks/domain';
import { Sender } from '@form-webhooks/sender';
import type { Logger, Metrics } from '@form-webhooks/telemetry';
import { boundSockets, readOpenFilesLimit } from '../admission/open-files.js';
import { ownAddresses } from './own-addresses.js';
import type { DispatcherSettings } from '../settings.js';

/**
 * The sender as configured.
 * @throws RangeError or a file error that names what is wrong; called at start
 */
export function createSender(settings: DispatcherSettings, metrics: Metrics, logger: Logger): Sender {
  const { egress } = settings;
  const denied = metrics.counter('webhook_egress_denied_total', 'Connections that the address policy refused.');
  if (egress.allow.length > 0) {
    logger.warn(
      { ranges: egress.allow.length },
      'EGRESS_ALLOW: deliveries may reach private addresses: only for development',
    );
  }
  const bounds = boundSockets(settings.admission.concurrency, readOpenFilesLimit());
  if (bounds.concurrency < settings.admission.concurrency) {
    logger.warn({ ...bounds }, 'DISPATCHER_CONCURRENCY: fewer attempts at a time, for so few files may be open');
  }
  return new Sender({
    addressPolicy: new AddressPolicy({
      allow: egress.allow,
      deny: [...egress.deny, ...ownAddresses(egress, settings.source)],
    }),
    ports: egress.ports,
    allowedHosts: egress.allowHosts,
    ...(egress.caFile === undefined ? {} : { extraRoots: readFileSync(egress.caFile, 'utf8') }),
    sourceAddresses: egress.sourceAddresses,
    attemptTimeoutMs: settings.delivery.attemptTimeoutMs,
    idleSocketsMax: bounds.idle,
    userAgent: settings.requests.userAgent,
    onDenied: (connection) => {
      denied.inc();
      logger.warn({ denied: connection }, 'an address is not allowed');
    },
  });
}
