import { isIPv4, isIPv6 } from 'node:net';
import { ipv6Groups } from '../ipv6-groups.js';

/**
 * A range of addresses of one family, as 32-bit words (one of IPv4, four of IPv6): an address is inside if its bits
 * under the mask are those of the base. Worked out once, because a DNS answer can hold thousands of addresses.
 */
export interface Cidr {
  readonly family: 4 | 6;
  readonly base: readonly number[];
  readonly mask: readonly number[];
}

const WIDTH = { 4: 32, 6: 128 } as const;
const WORD_BITS = 32;

/**
 * IPv4 ranges that no receiver can have: private, loopback, link-local (cloud metadata), shared, documentation,
 * benchmarking, multicast, reserved (IANA's special-purpose registry), and Azure's WireServer, which is public space.
 */
const DENIED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * Receivers have global unicast addresses. Everything outside is denied without being listed: loopback, unique-local,
 * link-local, multicast, and every form that carries an IPv4 address (mapped, compatible, NAT64).
 */
const GLOBAL_IPV6 = '2000::/3';

/** What must still be left out inside it: Teredo and other protocol blocks, documentation, 6to4, AS112. */
const DENIED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const deniedIpv4 = DENIED_IPV4.map(parseCidr);
const deniedIpv6 = DENIED_IPV6.map(parseCidr);
const globalIpv6 = parseCidr(GLOBAL_IPV6);

export interface AddressPolicySettings {
  /** Ranges denied in addition, such as one's own public addresses or NAT64 prefixes. They win over `allow`. */
  readonly deny?: readonly Cidr[];
  /** Ranges allowed although the rules deny them (`EGRESS_ALLOW`): for development and tests. */
  readonly allow?: readonly Cidr[];
}

/**
 * Decides which addresses may be dialled. An IPv4 entry of the allow list never lifts the rule for an IPv6 address that
 * carries the same IPv4 address: such forms must be named as IPv6 ranges.
 */
export class AddressPolicy {
  private readonly deny: readonly Cidr[];
  private readonly allow: readonly Cidr[];

  constructor(settings: AddressPolicySettings = {}) {
    this.deny = settings.deny ?? [];
    this.allow = settings.allow ?? [];
  }

  /** False also for text that is no address, or that has a zone (`fe80::1%eth0`). */
  permits(address: string): boolean {
    const parsed = parseAddress(address);
    if (!parsed || isIn(parsed, this.deny)) return false;
    return isIn(parsed, this.allow) || isPublic(parsed);
  }
}

/**
 * The ranges that a setting such as `127.0.0.0/8,::1` names, separated by commas; an address alone means just itself.
 * Bits behind the prefix are ignored. Empty text gives no ranges.
 * @throws RangeError that names the entry
 */
export function parseCidrs(text: string): readonly Cidr[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseCidr);
}

function parseCidr(text: string): Cidr {
  const [address, prefix, ...rest] = text.split('/');
  const parsed = parseAddress(address ?? '');
  if (!parsed || rest.length > 0) {
    throw new RangeError(`"${text}" is not an address range; write 10.0.0.0/8, fd00::/8, or an address alone`);
  }
  const width = WIDTH[parsed.family];
  const bits = prefix === undefined ? width : /^\d{1,3}$/.test(prefix) ? Number(prefix) : width + 1;
  if (bits > width) {
    throw new RangeError(`"${text}" has no valid prefix; an IPv${parsed.family} prefix is a number from 0 to ${width}`);
  }
  const mask = parsed.words.map((_, index) => maskOfWord(bits - index * WORD_BITS));
  return { family: parsed.family, base: parsed.words.map((word, index) => (word & mask[index]!) >>> 0), mask };
}

/** A word whose first `bits` bits are set. */
function maskOfWord(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= WORD_BITS ? 0xffff_ffff : (0xffff_ffff << (WORD_BITS - bits)) >>> 0;
}

interface NumericAddress {
  readonly family: 4 | 6;
  readonly words: readonly number[];
}

const isPublic = (address: NumericAddress): boolean =>
  address.family === 4
    ? !isIn(address, deniedIpv4)
    : isInRange(address.words, globalIpv6) && !isIn(address, deniedIpv6);

const isIn = ({ family, words }: NumericAddress, ranges: readonly Cidr[]): boolean =>
  ranges.some((range) => range.family === family && isInRange(words, range));

function isInRange(words: readonly number[], { base, mask }: Cidr): boolean {
  for (let index = 0; index < base.length; index++) {
    if ((words[index]! & mask[index]!) >>> 0 !== base[index]) return false;
  }
  return true;
}

function parseAddress(text: string): NumericAddress | undefined {
  if (isIPv4(text)) return { family: 4, words: [ipv4Word(text)] };
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const [a, b, c, d, e, f, g, h] = ipv6Groups(text) as [number, number, number, number, number, number, number, number];
  return { family: 6, words: [twoGroups(a, b), twoGroups(c, d), twoGroups(e, f), twoGroups(g, h)] };
}

function ipv4Word(text: string): number {
  return text.split('.').reduce((word, part) => word * 256 + Number(part), 0);
}

function twoGroups(high: number, low: number): number {
  return high * 65_536 + low;
}
