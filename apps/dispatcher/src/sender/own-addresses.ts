import { networkInterfaces } from 'node:os';
import { AddressPolicy, parseCidrs, type Cidr } from '@form-webhooks/domain';
import type { SourceSettings } from '@form-webhooks/settings';
import type { EgressSettings } from './egress-settings.js';

const byDefault = new AddressPolicy({});

/**
 * Public addresses that are ours, as far as they can be known: those of this machine, those that connections are bound
 * to, and those that receivers are told of. What listens there is our own, and no receiver. (Private ones are denied
 * anyway, and stay open where `EGRESS_ALLOW` opens them.)
 * @param interfaces the machine's network interfaces
 */
export function ownAddresses(
  { sourceAddresses }: Pick<EgressSettings, 'sourceAddresses'>,
  source: SourceSettings,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): readonly Cidr[] {
  const local = Object.values(interfaces).flatMap((addresses) => (addresses ?? []).map(({ address }) => address));
  const known = [...local, ...sourceAddresses].map((address) => address.split('%')[0]!);
  const own = known.filter((address) => byDefault.permits(address));
  return parseCidrs([...source.addresses, ...own].join(','));
}
