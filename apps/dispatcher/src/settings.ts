import { isIP } from 'node:net';
import {
  DEFAULT_EGRESS_PORTS,
  DEFAULT_RETRY_SCHEDULE,
  KeyRing,
  parseAllowedHosts,
  parseCidrs,
  parsePorts,
  parseRetrySchedule,
  type Cidr,
  type PortRange,
  type RetrySchedule,
} from '@form-webhooks/domain';
import { DEFAULT_RETRY_QUEUE_MARGIN_MS } from '@form-webhooks/broker';
import { asDuration, asInteger, asList, ServiceSettings, Setting } from '@form-webhooks/settings';

const DAY_MS = 86_400_000;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;

const asHeaderName = (text: string): string => {
  if (!HEADER_NAME.test(text)) throw new RangeError(`"${text}" is not a header name of letters, digits and -`);
  return text;
};

const asAddresses = (text: string): readonly string[] => {
  const addresses = asList(text);
  const wrong = addresses.find((address) => isIP(address) === 0);
  if (wrong !== undefined) throw new RangeError(`"${wrong}" is not an IP address`);
  return addresses;
};

const asStatuses = (text: string): ReadonlySet<number> => new Set(asList(text).map(asInteger(400, 499)));

/** The dispatcher's configuration; durations in ms. */
export class DispatcherSettings extends ServiceSettings {
  @Setting({
    env: 'SECRET_KEYS',
    meaning: 'the keys that open signing secrets, as config has them: id:base64 pairs of 32 bytes, separated by commas',
    parse: (text) => new KeyRing(text),
    secret: true,
  })
  keyRing: KeyRing;

  @Setting({
    env: 'RETRY_SCHEDULE',
    meaning: 'the delays between attempts: n delays allow n + 1 attempts',
    default: DEFAULT_RETRY_SCHEDULE,
    parse: parseRetrySchedule,
  })
  retrySchedule: RetrySchedule;

  @Setting({
    env: 'RETRY_STATUSES',
    meaning: 'statuses of 4xx that are tried again, besides every 5xx',
    default: '408,425,429',
    parse: asStatuses,
  })
  retryStatuses: ReadonlySet<number>;

  @Setting({
    env: 'DELIVERY_MAX_AGE',
    meaning: 'how long after it began a delivery may still start an attempt',
    default: '24h',
    parse: asDuration(100, 30 * DAY_MS),
  })
  deliveryMaxAgeMs: number;

  @Setting({
    env: 'ATTEMPT_TIMEOUT',
    meaning: 'the one deadline of an attempt, from DNS to the last byte read',
    default: '15s',
    parse: asDuration(100, 30_000),
  })
  attemptTimeoutMs: number;

  @Setting({
    env: 'DISPATCHER_CONCURRENCY',
    meaning: 'attempts at a time in one dispatcher',
    default: '500',
    parse: asInteger(4, 10_000),
  })
  concurrency: number;

  @Setting({
    env: 'ENDPOINT_MAX_IN_FLIGHT',
    meaning: 'attempts at a time for one endpoint in one dispatcher',
    default: '200',
    parse: asInteger(1, 10_000),
  })
  endpointMaxInFlight: number;

  @Setting({
    env: 'HELD_BYTES_MAX',
    meaning: 'message bytes that a dispatcher holds before it takes no more, until below 80 % of it',
    default: '67108864',
    parse: asInteger(4 * 1024 * 1024, 2 ** 32),
  })
  heldBytesMax: number;

  @Setting({
    env: 'CACHE_MAX_AGE',
    meaning: "how old a form's cached endpoints may be while config answers",
    default: '60s',
    parse: asDuration(100, 3_600_000),
  })
  cacheMaxAgeMs: number;

  @Setting({
    env: 'RETRY_QUEUE_MARGIN',
    meaning: "how much longer than twice its delay an endpoint's retry queue outlives its last use",
    default: `${DEFAULT_RETRY_QUEUE_MARGIN_MS}ms`,
    parse: asDuration(500, DAY_MS),
  })
  retryQueueMarginMs: number;

  @Setting({
    env: 'RETRY_QUEUES_MAX',
    meaning: 'retry queues of single endpoints that one dispatcher keeps alive; beyond it delays are shared',
    default: '5000',
    parse: asInteger(0, 100_000),
  })
  retryQueuesMax: number;

  @Setting({
    env: 'SIGNATURE_HEADER',
    meaning: 'the header with the plain HMAC of the body',
    default: 'X-Service-Signature',
    parse: asHeaderName,
  })
  signatureHeader: string;

  @Setting({
    env: 'TEST_HEADER',
    meaning: 'the header that marks a test send',
    default: 'X-Service-Test',
    parse: asHeaderName,
  })
  testHeader: string;

  @Setting({ env: 'USER_AGENT', meaning: 'the user-agent of deliveries', default: 'form-webhooks/1' })
  userAgent: string;

  @Setting({
    env: 'EGRESS_ALLOW',
    meaning: 'CIDRs that deliveries may reach although they are private; for development',
    default: '',
    parse: parseCidrs,
  })
  egressAllow: readonly Cidr[];

  @Setting({
    env: 'EGRESS_DENY',
    meaning: 'further CIDRs that deliveries may not reach, such as the own public addresses',
    default: '',
    parse: parseCidrs,
  })
  egressDeny: readonly Cidr[];

  @Setting({
    env: 'EGRESS_ALLOW_HOSTS',
    meaning: 'special names such as localhost that endpoints may have; lifts the rule on names, not on addresses',
    default: '',
    parse: parseAllowedHosts,
  })
  egressAllowHosts: readonly string[];

  @Setting({
    env: 'EGRESS_PORTS',
    meaning: 'ports and ranges of ports that endpoints may have',
    default: DEFAULT_EGRESS_PORTS,
    parse: parsePorts,
  })
  egressPorts: readonly PortRange[];

  @Setting({
    env: 'EGRESS_CA_FILE',
    meaning: 'a PEM file with certificates of further authorities to trust',
    optional: true,
  })
  egressCaFile?: string;

  @Setting({
    env: 'SOURCE_ADDRESSES',
    meaning: 'local addresses that outgoing connections are bound to',
    default: '',
    parse: asAddresses,
  })
  sourceAddresses: readonly string[];

  @Setting({
    env: 'STOP_TIMEOUT',
    meaning: 'how long a stop waits for attempts in flight before it aborts them',
    default: '20s',
    parse: asDuration(100, 300_000),
  })
  stopTimeoutMs: number;

  problems(): string[] {
    const problems: string[] = [];
    if (this.endpointMaxInFlight > this.concurrency) {
      problems.push('ENDPOINT_MAX_IN_FLIGHT must not exceed DISPATCHER_CONCURRENCY');
    }
    if (this.stopTimeoutMs < this.attemptTimeoutMs) {
      problems.push('STOP_TIMEOUT must not be shorter than ATTEMPT_TIMEOUT, or a stop would cut attempts off');
    }
    return problems;
  }
}
