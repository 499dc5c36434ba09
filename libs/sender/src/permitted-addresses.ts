import type { LookupAddress, LookupOptions } from 'node:dns';
import { promises as dns } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { inTime, isAllowedHost, type AddressPolicy } from '@form-webhooks/domain';
import { AddressNotAllowed, NameNotResolved } from './failure.js';

/** The two queries that are asked of DNS; they reject with c-ares codes such as `ENOTFOUND`. */
export interface NameResolver {
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
  /** Ends the queries under way, which then reject. */
  cancel(): void;
}

/** What an operator learns of a refused connection; the form owner is told neither host nor address. */
export interface DeniedConnection {
  readonly host: string;
  /** What the host resolved to, at most 8 of it, or the address that was about to be used. */
  readonly addresses: readonly string[];
}

export interface PermittedAddressesOptions {
  /** Makes the resolver of one name; default: the system's DNS servers, 1 s a query and two tries. */
  readonly createResolver?: () => NameResolver;
  readonly policy: AddressPolicy;
  readonly allowedHosts: readonly string[];
  /** How long permitted answers are reused, ms. Refused and dead names are remembered as long, at most 5 s. */
  readonly cacheMs: number;
  readonly onDenied: (denied: DeniedConnection) => void;
}

const MAX_ADDRESSES = 8;
/** Of each family's answer; one answer can hold thousands, which would cost every other attempt its time. */
const MAX_JUDGED = 64;
const MAX_LOGGED = 8;
const MAX_REMEMBERED_FAILURE_MS = 5_000;
const MAX_CACHED_NAMES = 2_000;
/** c-ares looks at its time-outs once a second, and would take 3 to 4 s for two tries. */
const MAX_RESOLUTION_MS = 3_000;
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
  private readonly lookups = new Map<string, NameLookup>();

  constructor(private readonly options: PermittedAddressesOptions) {}

  /**
   * At most 8 permitted addresses of a host name, IPv4 first, never none. Concurrent calls for one name are one query,
   * which ends with the last of them.
   * @param ended when whoever asks needs no answer any more
   * @throws NameNotResolved if DNS gives no address, AddressNotAllowed if it gives no permitted one
   */
  of(host: string, ended?: AbortSignal): Promise<readonly LookupAddress[]> {
    const name = host.toLowerCase();
    const known = this.lookups.get(name);
    const lookup = known && known.expiresAt > performance.now() ? known : this.begin(name);
    const leave = lookup.join();
    if (ended?.aborted) leave();
    else ended?.addEventListener('abort', leave, { once: true });
    return lookup.addresses;
  }

  /** For `net.connect`. Answers in a later turn of the event loop, never in a microtask: timers rely on that. */
  lookupUntil(ended?: AbortSignal): LookupFunction {
    return (host, options, callback) => {
      this.of(host, ended).then(
        (addresses) => setImmediate(deliver, addresses, options, callback),
        (error: Error) => setImmediate(() => callback(error, '')),
      );
    };
  }

  private begin(name: string): NameLookup {
    const resolver = this.options.createResolver?.() ?? new dns.Resolver({ timeout: 1_000, tries: 2 });
    const lookup = new NameLookup(this.resolve(name, resolver), () => {
      this.forget(name, lookup);
      resolver.cancel();
    });
    this.lookups.delete(name);
    if (this.lookups.size >= MAX_CACHED_NAMES) this.lookups.delete(this.lookups.keys().next().value!);
    this.lookups.set(name, lookup);
    const { cacheMs } = this.options;
    lookup.addresses.then(
      () => this.keep(name, lookup, cacheMs),
      () => this.keep(name, lookup, Math.min(cacheMs, MAX_REMEMBERED_FAILURE_MS)),
    );
    return lookup;
  }

  private keep(name: string, lookup: NameLookup, ms: number): void {
    lookup.expiresAt = performance.now() + ms;
    if (ms === 0) this.forget(name, lookup);
  }

  private forget(name: string, lookup: NameLookup): void {
    if (this.lookups.get(name) === lookup) this.lookups.delete(name);
  }

  private async resolve(name: string, resolver: NameResolver): Promise<readonly LookupAddress[]> {
    const { found, failures } = await this.ask(name, resolver);
    if (found.length === 0) throw new NameNotResolved(failures);
    const permitted = found.filter(({ address }) => this.options.policy.permits(address)).slice(0, MAX_ADDRESSES);
    if (permitted.length > 0) return permitted;
    this.options.onDenied({ host: name, addresses: found.slice(0, MAX_LOGGED).map(({ address }) => address) });
    throw new AddressNotAllowed();
  }

  private async ask(name: string, resolver: NameResolver): Promise<{ found: LookupAddress[]; failures: string[] }> {
    if (isLocalhost(name) && isAllowedHost(name, this.options.allowedHosts))
      return { found: [...LOOPBACK], failures: [] };
    const found: LookupAddress[] = [];
    const failures: string[] = [];
    const query = async (answer: Promise<string[]>): Promise<void> => {
      try {
        const judged = (await answer).slice(0, MAX_JUDGED);
        found.push(...judged.map((address) => ({ address, family: isIP(address) })));
      } catch (error) {
        failures.push((error as NodeJS.ErrnoException).code ?? 'EUNKNOWN');
      }
    };
    const queries = [query(resolver.resolve4(name)), query(resolver.resolve6(name))];
    const began = performance.now();
    await inTime(Promise.race(queries), MAX_RESOLUTION_MS);
    const usable = found.some(({ address }) => this.options.policy.permits(address));
    const leftMs = Math.max(0, began + MAX_RESOLUTION_MS - performance.now());
    const all = await inTime(Promise.all(queries), usable ? Math.min(RESOLUTION_DELAY_MS, leftMs) : leftMs);
    if (!all) failures.push('ETIMEOUT');
    // What has not been answered is waited for no longer.
    resolver.cancel();
    return { found: found.toSorted((a, b) => a.family - b.family), failures };
  }
}

/** The resolution of one name, for all who ask for it at the same time. */
class NameLookup {
  /** By `performance.now()`. */
  expiresAt = Infinity;
  private waiting = 0;

  /** @param abandon called once nobody waits any more, unless it is resolved by then */
  constructor(
    readonly addresses: Promise<readonly LookupAddress[]>,
    private readonly abandon: () => void,
  ) {}

  /** @returns what is to be called when whoever joins needs no answer any more */
  join(): () => void {
    this.waiting += 1;
    return () => {
      this.waiting -= 1;
      if (this.waiting === 0 && this.expiresAt === Infinity) this.abandon();
    };
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
