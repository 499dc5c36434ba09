import { isIPv6 } from 'node:net';
import { ipv6Groups } from '@form-webhooks/domain';

/** The first six groups of an IPv6 address that stands for an IPv4 address: `::ffff:0:0/96`. */
const MAPPED = [0, 0, 0, 0, 0, 0xffff];

/** Some proxies name their caller's port too, in `X-Forwarded-For`: it differs with each connection. */
const WITH_PORT = /^(?:\[([0-9a-f:.]+)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/i;

/**
 * What counts as one caller by address: an IPv4 address, however it is written, or the /64 of an IPv6 address, since
 * anybody with one has 2^64 of them. A port does not count. What is no address stands for itself.
 */
export function networkOf(text: string): string {
  const [, bracketed, dotted] = WITH_PORT.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  if (!isIPv6(address)) return address;
  const groups = ipv6Groups(address.split('%')[0]!);
  if (MAPPED.every((group, i) => groups[i] === group)) return ipv4Of(groups[6]!, groups[7]!);
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

const ipv4Of = (high: number, low: number): string => [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
