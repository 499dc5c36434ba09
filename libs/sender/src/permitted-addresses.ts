import type { LookupAddress, LookupOptions } from 'node:dns';
import { promises as dns } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { inTime, isAllowedHost, type AddressPolicy } from '@form-webhooks/domain';
import { AddressNotAllowed, NameNotResolved } from './failure.js';

/** The two queries that are asked of DNS; they reject with c-ares codes such as `ENOTFOUND`. */
export interface NameResolver {
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
}

/** What an operator learns of a refused connection; the form owner is told neither host nor address. */
export interface DeniedConnection {
  readonly host: string;
  /** What the host resolved to, or the address that was about to be used. */
  readonly addresses: readonly string[];
}

export interface PermittedAddressesOptions {
  readonly resolver?: NameResolver;
  readonly policy: AddressPolicy;
  readonly allowedHosts: readonly string[];
  readonly cacheMs: number;
  readonly onDenied: (denied: DeniedConnection) => void;
}

const MAX_ADDRESSES = 8;
const MAX_CACHED_NAMES = 2_000;
/**
 * How long one family's answer waits for the other's, so that a DNS server that never answers AAAA costs little (RFC
 * 8305).
 */
const RESOLUTION_DELAY_MS = 300;
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Resolves names to the addresses that may be dialled. It is the only resolution there is: what it returns is what gets
 * connected to, so an answer that changes afterwards (DNS rebinding) finds nothing.
 *
 * It asks DNS itself (c-ares) and does not read /etc/hosts: `getaddrinfo` would, but two silent zones block every other
 * lookup of the process. `localhost` and names under it, where `EGRESS_ALLOW_HOSTS` lets them through, are loopback
 * without asking anyone (RFC 6761).
 */
export class PermittedAddresses {
  private readonly resolver: NameResolver;
  private readonly cached = new Map<string, { expiresAt: number; addresses: Promise<readonly LookupAddress[]> }>();

  constructor(private readonly options: PermittedAddressesOptions) {
    this.resolver = options.resolver ?? new dns.Resolver({ timeout: 1_000, tries: 2 });
  }

  /**
   * At most 8 permitted addresses of a host name, IPv4 first, never none. Concurrent calls for one name are one query.
   * @throws NameNotResolved if DNS gives no address, AddressNotAllowed if it gives no permitted one
   */
  async of(host: string): Promise<readonly LookupAddress[]> {
    const name = host.toLowerCase();
    const known = this.cached.get(name);
    if (known && known.expiresAt > performance.now()) return known.addresses;
    const addresses = this.resolve(name);
    const entry = { expiresAt: Infinity, addresses };
    this.remember(name, entry);
    try {
      await addresses;
      entry.expiresAt = performance.now() + this.options.cacheMs;
    } catch {
      entry.expiresAt = 0;
    }
    if (entry.expiresAt <= performance.now() && this.cached.get(name) === entry) this.cached.delete(name);
    return addresses;
  }

  /** For `net.connect`. Answers in a later turn of the event loop, never in a microtask: timers rely on that. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    this.of(host).then(
      (addresses) => setImmediate(deliver, addresses, options, callback),
      (error: Error) => setImmediate(() => callback(error, '')),
    );
  };

  private remember(name: string, entry: { expiresAt: number; addresses: Promise<readonly LookupAddress[]> }): void {
    this.cached.delete(name);
    if (this.cached.size >= MAX_CACHED_NAMES) this.cached.delete(this.cached.keys().next().value!);
    this.cached.set(name, entry);
  }

  private async resolve(name: string): Promise<readonly LookupAddress[]> {
    const { found, failures } = await this.ask(name);
    if (found.length === 0) throw new NameNotResolved(failures);
    const permitted = found.filter(({ address }) => this.options.policy.permits(address)).slice(0, MAX_ADDRESSES);
    if (permitted.length > 0) return permitted;
    this.options.onDenied({ host: name, addresses: found.map(({ address }) => address) });
    throw new AddressNotAllowed();
  }

  private async ask(name: string): Promise<{ found: LookupAddress[]; failures: string[] }> {
    if (isLocalhost(name) && isAllowedHost(name, this.options.allowedHosts))
      return { found: [...LOOPBACK], failures: [] };
    const found: LookupAddress[] = [];
    const failures: string[] = [];
    const query = async (answer: Promise<string[]>): Promise<void> => {
      try {
        found.push(...(await answer).map((address) => ({ address, family: isIP(address) })));
      } catch (error) {
        failures.push((error as NodeJS.ErrnoException).code ?? 'EUNKNOWN');
      }
    };
    const queries = [query(this.resolver.resolve4(name)), query(this.resolver.resolve6(name))];
    await Promise.race(queries);
    const usable = found.some(({ address }) => this.options.policy.permits(address));
    const all = Promise.all(queries);
    await (usable ? inTime(all, RESOLUTION_DELAY_MS) : all);
    return { found: found.toSorted((a, b) => a.family - b.family), failures };
  }
}

const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

function deliver(
  addresses: readonly LookupAddress[],
  options: LookupOptions,
  callback: Parameters<LookupFunction>[2],
): void {
  if (options.all) return callback(null, [...addresses]);
  const wanted = addresses.find(({ family }) => !options.family || family === options.family) ?? addresses[0]!;
  callback(null, wanted.address, wanted.family);
}
