import type { LookupAddress } from 'node:dns';
import type { ClientRequest } from 'node:http';
import { Agent, type RequestOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { AddressPolicy } from '@form-webhooks/domain';
import { noteSteps, type ConnectionTimes } from './connection-times.js';
import { AddressNotAllowed } from './failure.js';
import { IdleSockets } from './idle-sockets.js';
import type { DeniedConnection, PermittedAddresses } from './permitted-addresses.js';
import { checkServerIdentity } from './server-identity.js';
import { SourceBoundConnector } from './source-bound-connector.js';

export interface GuardedAgentOptions {
  readonly addresses: PermittedAddresses;
  readonly policy: AddressPolicy;
  readonly trust: SecureContext;
  readonly sourceAddresses: readonly string[];
  /** How long one address may take to connect before the next one is tried. */
  readonly connectTimeoutMs: number;
  /** How long connecting may take in all. */
  readonly attemptTimeoutMs: number;
  readonly keepAlive: boolean;
  /** Connections that wait for a next request, to all receivers. */
  readonly idleSocketsMax: number;
  readonly onDenied: (denied: DeniedConnection) => void;
}

/** Idle sockets go before the common 5 s after which servers close theirs; a receiver's shorter hint is honoured. */
const IDLE_MS = 4_000;
/** A socket this old is not used again, so that DNS changes take effect. */
const MAX_SOCKET_AGE_MS = 60_000;
/**
 * A burst of answers from one busy receiver frees as many sockets in one turn of the event loop as there were attempts
 * in flight; with a small limit the next attempts would all pay for a new TLS handshake.
 */
const MAX_IDLE_PER_ORIGIN = 256;
/** A socket that has idled for longer is looked at before it is used. */
const READ_AGAIN_MS = 5;

/**
 * Emitted on a request when its exchange has ended, because a request that has no socket yet tells of its end to nobody.
 */
export const EXCHANGE_ENDED = 'exchange ended';
/** Where a connection's options name the request that it is made for. */
const MADE_FOR = Symbol('request');

type ConnectionOptions = RequestOptions & { [MADE_FOR]?: ClientRequest };
type Callback = (error: Error | null, socket: Duplex) => void;

/** What Node's agent does to give a request a socket; the typings leave it out. */
interface RequestAdder {
  addRequest(request: ClientRequest, options: RequestOptions): void;
}

/**
 * The only place where a connection to a receiver is opened. It decides by the address that is really dialled: for
 * literals (which need no lookup), in the lookup of names, and once more on the connected socket before a byte is sent.
 * All connections share one TLS configuration that no request can change: verification is always on.
 */
export class GuardedAgent extends Agent {
  private readonly connector: SourceBoundConnector | undefined;
  /** Not among Node's options of an agent, which are copied for each request, also for one that needs no connection. */
  private readonly tls: TlsOptions;
  private readonly times = new WeakMap<object, ConnectionTimes>();
  private readonly idle = new IdleSockets();
  private closed = false;

  constructor(private readonly guard: GuardedAgentOptions) {
    super({
      keepAlive: guard.keepAlive,
      timeout: IDLE_MS,
      maxSockets: Infinity,
      maxFreeSockets: MAX_IDLE_PER_ORIGIN,
    });
    this.tls = tlsOptions(guard);
    if (guard.sourceAddresses.length > 0) this.connector = new SourceBoundConnector(guard);
  }

  /** One name for all connections to a host and port: nothing else about them can differ. */
  override getName(options?: RequestOptions): string {
    return `${options?.host}:${options?.port}`;
  }

  /**
   * A request gets a socket that has idled only after the event loop has read once more what has come on it: an answer
   * that was written for no request lies unread until then, and would be taken for the next request's. The first
   * immediate may run before anything is read again, the second one can't. A socket that became free just now was read
   * just now.
   */
  addRequest(request: ClientRequest, options: RequestOptions): void {
    // The one that Node's agent would take.
    const next = this.freeSockets[this.getName(options)]?.at(-1);
    if (next === undefined || !this.idle.isOlderThan(READ_AGAIN_MS, next)) return this.giveSocket(request, options);
    setImmediate(() => setImmediate(() => (this.closed ? request.destroy() : this.giveSocket(request, options))));
  }

  override createConnection(options: ConnectionOptions, callback?: Callback): Duplex | undefined {
    const host = options.host ?? '';
    if (isIP(host) !== 0 && !this.guard.policy.permits(host)) {
      this.guard.onDenied({ host, addresses: [host] });
      callback?.(new AddressNotAllowed(), undefined as never);
      return undefined;
    }
    if (this.connector) {
      void this.connectFromSource(this.connector, options, callback);
      return undefined;
    }
    const ended = new AbortController();
    const lookup = this.guard.addresses.lookupUntil(ended.signal);
    const socket = super.createConnection({ ...options, ...this.tls, lookup }) as Socket;
    socket.once('close', () => ended.abort());
    socket.prependOnceListener('connect', () => {
      if (!this.permitsPeer(socket, host)) socket.destroy(new AddressNotAllowed());
    });
    return this.watch(socket, { openedAt: performance.now() });
  }

  /**
   * Of a connection that this agent has made. From a source address a request gets no socket before it is connected:
   * until then they are those of the request.
   */
  timesOf(made: Socket | ClientRequest): ConnectionTimes | undefined {
    return this.times.get(made);
  }

  // The typings say void, but Node closes the socket unless this returns true.
  override keepSocketAlive(socket: Duplex): boolean {
    const age = performance.now() - (this.times.get(socket)?.openedAt ?? 0);
    if (age > MAX_SOCKET_AGE_MS || this.idle.size >= this.guard.idleSocketsMax) return false;
    const keep = super.keepSocketAlive(socket) as unknown as boolean;
    // The time that Node has just set: ours, or the receiver's shorter hint.
    if (keep) this.idle.add(socket as Socket, (socket as Socket).timeout ?? IDLE_MS);
    return keep;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    this.idle.remove(socket as Socket);
    super.reuseSocket(socket, request);
  }

  /** Ends every connection, also those that are still being made. */
  override destroy(): void {
    this.closed = true;
    this.connector?.destroy();
    super.destroy();
  }

  private watch(socket: Socket, times: ConnectionTimes): Socket {
    this.times.set(socket, times);
    noteSteps(socket, times);
    return socket;
  }

  private giveSocket(request: ClientRequest, options: ConnectionOptions): void {
    // Node passes over destroyed sockets at the other end of the list than the one from which it takes.
    const free = this.freeSockets[this.getName(options)];
    while (free?.at(-1)?.destroyed) free.pop();
    if (this.connector) options[MADE_FOR] = request;
    (Agent.prototype as unknown as RequestAdder).addRequest.call(this, request, options);
  }

  /** Whether the address at the other end may be talked to; asked before a byte is sent. */
  private permitsPeer(socket: Socket, host: string): boolean {
    const address = socket.remoteAddress ?? '';
    const permitted = this.guard.policy.permits(address);
    if (!permitted) this.guard.onDenied({ host, addresses: [address] });
    return permitted;
  }

  private async connectFromSource(
    connector: SourceBoundConnector,
    options: ConnectionOptions,
    callback: Callback | undefined,
  ): Promise<void> {
    const host = options.host ?? '';
    const deadline = performance.now() + this.guard.attemptTimeoutMs;
    const ended = new AbortController();
    const times: ConnectionTimes = { openedAt: performance.now() };
    const request = options[MADE_FOR];
    if (request) this.times.set(request, times);
    request?.once(EXCHANGE_ENDED, () => ended.abort());
    try {
      const addresses = await this.addressesOf(host, ended.signal);
      if (isIP(host) === 0) times.lookedUpAt = performance.now();
      const plain = await connector.connect(addresses, Number(options.port), deadline);
      if (!this.permitsPeer(plain, host)) {
        plain.destroy();
        throw new AddressNotAllowed();
      }
      times.connectedAt = performance.now();
      const socket = super.createConnection({ ...options, ...this.tls, socket: plain } as RequestOptions) as Socket;
      callback?.(null, this.watch(socket, times));
    } catch (error) {
      callback?.(error as Error, undefined as never);
    }
  }

  private async addressesOf(host: string, ended: AbortSignal): Promise<readonly LookupAddress[]> {
    const family = isIP(host);
    return family === 0 ? this.guard.addresses.of(host, ended) : [{ address: host, family }];
  }
}

type TlsOptions = ReturnType<typeof tlsOptions>;

/** They win over a request's own: nothing that a request says can weaken these. */
function tlsOptions(guard: GuardedAgentOptions) {
  return {
    secureContext: guard.trust,
    rejectUnauthorized: true,
    checkServerIdentity,
    minVersion: 'TLSv1.2',
    lookup: guard.addresses.lookupUntil(),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: guard.connectTimeoutMs,
  } as const;
}
