import { isIP } from 'node:net';
import type { AddressPolicy } from './address-policy.js';
import type { ErrorCode } from '../enumerations.js';

const MAX_URL_BYTES = 2_048;
const MAX_NAME_LENGTH = 253;
const LABEL = /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/;
/** Controls and backslashes, which URL parsers silently remove or turn into slashes, and outer white space. */
const UNSAFE_TEXT = /[\u0000-\u001f\u007f\\]|^\s|\s$/;
/** A scheme at the start; `host:8080` is none. */
const OTHER_SCHEME = /^(?!https:)[a-z][a-z0-9+.-]*:(?!\d)/i;

export const DEFAULT_EGRESS_PORTS = '443,1024-65535';

/** Names that never lead to a receiver on the public internet (RFC 6761 and common private suffixes). */
const SPECIAL_USE_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home.arpa',
  'invalid',
  'test',
  'example',
  'onion',
  'in-addr.arpa',
  'ip6.arpa',
  'svc',
  'cluster.local',
];

export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** Where deliveries may go, as far as a URL alone can tell. What a name resolves to is judged when it is dialled. */
export interface EndpointUrlPolicy {
  readonly addresses: AddressPolicy;
  readonly ports: readonly PortRange[];
  /**
   * Names on which the rule about special-use and single-label names is lifted (`EGRESS_ALLOW_HOSTS`): `localhost` means
   * itself, `*.localhost` everything under it. Addresses stay under their own policy.
   */
  readonly allowedHosts: readonly string[];
}

export type EndpointUrlCheck =
  | { readonly ok: true; readonly href: string; readonly origin: string }
  | {
      readonly ok: false;
      readonly code: Extract<ErrorCode, 'invalid_url' | 'not_https' | 'address_not_allowed'>;
      /** For the form owner: what is wrong and what to do. */
      readonly message: string;
    };

type Refusal = Extract<EndpointUrlCheck, { ok: false }>;

/**
 * Whether a text can be an endpoint's URL. `href` is its canonical form: it is what must be stored, shown and dialled
 * (host in lower case and punycode, no default port, no trailing dot).
 */
export function checkEndpointUrl(text: string, policy: EndpointUrlPolicy): EndpointUrlCheck {
  const url = parse(text);
  if ('ok' in url) return url;
  const refusal = checkParts(url) ?? checkHost(url.hostname, policy) ?? checkPort(url.port, policy.ports);
  return refusal ?? { ok: true, href: url.href, origin: url.origin };
}

/** Whether `EGRESS_ALLOW_HOSTS` names this host, which must be in lower case. */
export function isAllowedHost(host: string, allowedHosts: readonly string[]): boolean {
  return allowedHosts.some((entry) => (entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry));
}

/**
 * The port ranges that a setting such as `443,1024-65535` names.
 * @throws RangeError that names the entry
 */
export function parsePorts(text: string): readonly PortRange[] {
  const ranges = splitList(text).map((part) => {
    const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part);
    const from = Number(match?.[1]);
    const to = Number(match?.[2] ?? match?.[1]);
    if (!match || from < 1 || to > 65_535 || from > to) {
      throw new RangeError(`"${part}" is not a port or a range of ports from 1 to 65535; write 443 or 1024-65535`);
    }
    return { from, to };
  });
  if (ranges.length === 0) throw new RangeError('name at least one port, such as 443');
  return ranges;
}

/**
 * The host names that a setting such as `localhost,*.localhost` names, in lower case; empty text gives none.
 * @throws RangeError that names the entry
 */
export function parseAllowedHosts(text: string): readonly string[] {
  return splitList(text.toLowerCase()).map((entry) => {
    if (!isHostName(entry.replace(/^\*\./, ''))) {
      throw new RangeError(`"${entry}" is not a host name; write names such as localhost or *.localhost`);
    }
    return entry;
  });
}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function parse(text: string): URL | Refusal {
  if (text === '') return invalid('The URL is missing; write one such as https://example.com/webhooks.');
  if (Buffer.byteLength(text) > MAX_URL_BYTES) return invalid(`The URL is longer than ${MAX_URL_BYTES} bytes.`);
  if (UNSAFE_TEXT.test(text)) {
    return invalid(
      'The URL contains a space, a control character or a backslash that does not belong there; remove it.',
    );
  }
  if (OTHER_SCHEME.test(text))
    return refuse('not_https', 'Webhooks are sent over HTTPS only; the URL must begin with https://.');
  if (!/^https:\/\/[^/]/i.test(text)) return invalid('The URL must begin with https:// followed by a host name.');
  return URL.canParse(text) ? new URL(text) : invalid('This is not a valid URL; check the host name and the port.');
}

/** Removes the host's trailing dot as well, so that the canonical form has none. */
function checkParts(url: URL): Refusal | undefined {
  if (url.protocol !== 'https:') return refuse('not_https', 'Webhooks are sent over HTTPS only.');
  if (url.username !== '' || url.password !== '') {
    return invalid('The URL must not contain a user name or a password; receivers verify the signature instead.');
  }
  if (url.href.includes('#')) return invalid('The URL must not contain a fragment (#…): it is never sent.');
  // Without its last dot `127.0.0.1..` would become an address.
  if (url.hostname.endsWith('..')) return invalid('The host name ends with more than one dot.');
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  if (Buffer.byteLength(url.href) > MAX_URL_BYTES) return invalid(`The URL is longer than ${MAX_URL_BYTES} bytes.`);
  return undefined;
}

function checkHost(host: string, policy: EndpointUrlPolicy): Refusal | undefined {
  const literal = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(literal) !== 0) return policy.addresses.permits(literal) ? undefined : notAllowed();
  if (!isHostName(host))
    return invalid('The host name is not valid; check for empty or overlong parts between the dots.');
  if (isAllowedHost(host, policy.allowedHosts)) return undefined;
  if (!host.includes('.') || SPECIAL_USE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))) {
    return notAllowed();
  }
  return undefined;
}

function checkPort(port: string, ranges: readonly PortRange[]): Refusal | undefined {
  const number = port === '' ? 443 : Number(port);
  if (ranges.some(({ from, to }) => number >= from && number <= to)) return undefined;
  const allowed = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
  return refuse('address_not_allowed', `Port ${number} is not allowed; use one of ${allowed}.`);
}

const isHostName = (host: string): boolean =>
  host.length <= MAX_NAME_LENGTH && host.split('.').every((label) => LABEL.test(label));

const refuse = (code: Refusal['code'], message: string): Refusal => ({ ok: false, code, message });
const invalid = (message: string): Refusal => refuse('invalid_url', message);
const notAllowed = (): Refusal =>
  refuse(
    'address_not_allowed',
    'Webhooks can only be sent to public addresses; this host is private or reserved. Use a host that the internet can reach.',
  );
