import { isIP } from 'node:net';
import type { AddressPolicy, PortRange } from '@form-webhooks/domain';
import type { DeniedConnection, NameResolver } from './permitted-addresses.js';

/** Where deliveries may go and how. Everything is read once, when the `Sender` is made. */
export interface SenderOptions {
  readonly addressPolicy: AddressPolicy;
  /** Allowed ports (`EGRESS_PORTS`), see `parsePorts`. */
  readonly ports: readonly PortRange[];
  /** Host names freed from the rule on special names (`EGRESS_ALLOW_HOSTS`), see `parseAllowedHosts`. */
  readonly allowedHosts?: readonly string[];
  /** PEM certificates trusted besides the default roots: the contents of `EGRESS_CA_FILE`. */
  readonly extraRoots?: string;
  /** Local addresses that connections are bound to, used in turn per family; empty: the system chooses. */
  readonly sourceAddresses?: readonly string[];
  /** One deadline from DNS to the last byte read, in ms (1 s to 30 s in production). Default 15,000. */
  readonly attemptTimeoutMs?: number;
  /** How long one address may take to connect before the next one is tried, in ms. Default 2,000. */
  readonly connectTimeoutMs?: number;
  /** How long a response body is waited for once the status is known, in ms. Default 2,000. */
  readonly bodyWaitMs?: number;
  readonly userAgent: string;
  /** Makes the resolver of one name; default: the system's DNS servers, 1 s a query and two tries. */
  readonly createResolver?: () => NameResolver;
  /**
   * How long permitted answers are reused, in ms, at most 30,000; 0 asks anew for each connection. Default 5,000.
   * Refused and dead names are remembered as long, at most 5 s.
   */
  readonly resolveCacheMs?: number;
  /** How many connections wait for a next request at most, to all receivers. Default 1,000. */
  readonly idleSocketsMax?: number;
  /** Called for each refused address, for logs and metrics. Must not throw. */
  readonly onDenied?: (denied: DeniedConnection) => void;
}

export type ResolvedSenderOptions = Required<Omit<SenderOptions, 'createResolver' | 'extraRoots'>> &
  Pick<SenderOptions, 'createResolver' | 'extraRoots'>;

const MAX_RESOLVE_CACHE_MS = 30_000;
const MAX_ATTEMPT_TIMEOUT_MS = 600_000;

/** @throws RangeError if a number is out of bounds */
export function withDefaults(options: SenderOptions): ResolvedSenderOptions {
  const resolved: ResolvedSenderOptions = {
    ...options,
    allowedHosts: options.allowedHosts ?? [],
    sourceAddresses: options.sourceAddresses ?? [],
    attemptTimeoutMs: options.attemptTimeoutMs ?? 15_000,
    connectTimeoutMs: options.connectTimeoutMs ?? 2_000,
    bodyWaitMs: options.bodyWaitMs ?? 2_000,
    resolveCacheMs: options.resolveCacheMs ?? 5_000,
    idleSocketsMax: options.idleSocketsMax ?? 1_000,
    onDenied: options.onDenied ?? (() => undefined),
  };
  requireWithin('attemptTimeoutMs', resolved.attemptTimeoutMs, 1, MAX_ATTEMPT_TIMEOUT_MS);
  requireWithin('connectTimeoutMs', resolved.connectTimeoutMs, 10, MAX_ATTEMPT_TIMEOUT_MS);
  requireWithin('bodyWaitMs', resolved.bodyWaitMs, 1, MAX_ATTEMPT_TIMEOUT_MS);
  requireWithin('resolveCacheMs', resolved.resolveCacheMs, 0, MAX_RESOLVE_CACHE_MS);
  requireWithin('idleSocketsMax', resolved.idleSocketsMax, 1, 1_000_000);
  const bad = resolved.sourceAddresses.find((address) => isIP(address) === 0);
  if (bad !== undefined) throw new RangeError(`"${bad}" is not an address that connections can be bound to`);
  return resolved;
}

function requireWithin(name: string, value: number, min: number, max: number): void {
  if (!(value >= min && value <= max)) throw new RangeError(`${name} is ${value}; it must be from ${min} to ${max}`);
}
