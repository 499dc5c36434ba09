import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import {
  DEFAULT_EGRESS_PORTS,
  parseAllowedHosts,
  parseCidrs,
  parsePorts,
  type Cidr,
  type PortRange,
} from '@form-webhooks/domain';
import { readCertificates } from '@form-webhooks/sender';
import { asList, asReadableFile, Setting } from '@form-webhooks/settings';

const asAddresses = (text: string): readonly string[] => {
  const addresses = asList(text);
  const wrong = addresses.find((address) => isIP(address) === 0);
  if (wrong !== undefined) throw new RangeError(`"${wrong}" is not an IP address`);
  return addresses;
};

/** The path of a file with certificates: where one can't be read, the setting is named before anything is sent. */
function asRootsFile(file: string): string {
  readCertificates(readFileSync(asReadableFile(file), 'utf8'));
  return file;
}

/** Where deliveries may go, and from where. */
export class EgressSettings {
  @Setting({
    env: 'EGRESS_ALLOW',
    meaning: 'CIDRs that deliveries may reach although they are private; for development',
    default: '',
    parse: parseCidrs,
  })
  readonly allow: readonly Cidr[];

  @Setting({
    env: 'EGRESS_DENY',
    meaning: 'further CIDRs that deliveries may not reach, such as the own public addresses',
    default: '',
    parse: parseCidrs,
  })
  readonly deny: readonly Cidr[];

  @Setting({
    env: 'EGRESS_ALLOW_HOSTS',
    meaning: 'special names such as localhost that endpoints may have; lifts the rule on names, not on addresses',
    default: '',
    parse: parseAllowedHosts,
  })
  readonly allowHosts: readonly string[];

  @Setting({
    env: 'EGRESS_PORTS',
    meaning: 'ports and ranges of ports that endpoints may have',
    default: DEFAULT_EGRESS_PORTS,
    parse: parsePorts,
  })
  readonly ports: readonly PortRange[];

  @Setting({
    env: 'EGRESS_CA_FILE',
    meaning: 'a PEM file with certificates of further authorities to trust',
    optional: true,
    parse: asRootsFile,
  })
  readonly caFile?: string;

  @Setting({
    env: 'SOURCE_ADDRESSES',
    meaning: 'local addresses that outgoing connections are bound to',
    default: '',
    parse: asAddresses,
  })
  readonly sourceAddresses: readonly string[];
}
