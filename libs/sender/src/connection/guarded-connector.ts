import type { LookupAddress } from 'node:dns';
import { isIP, type Socket, type TcpSocketConnectOpts } from 'node:net';
import { connect, type ConnectionOptions, type SecureContext, type TLSSocket } from 'node:tls';
import type { AddressPolicy } from '@form-webhooks/domain';
import { LRUCache } from 'lru-cache';
import { AddressNotAllowed } from '../failure.js';
import type { DeniedConnection, PermittedAddresses } from '../permitted-addresses.js';
import type { RequestTarget } from '../request-target.js';
import { ReceiverConnection } from './receiver-connection.js';
import { checkServerIdentity } from './server-identity.js';
import { SourceBoundConnector } from './source-bound-connector.js';

export interface GuardedConnectorOptions {
  readonly addresses: PermittedAddresses;
  readonly policy: AddressPolicy;
  readonly trust: SecureContext;
  readonly sourceAddresses: readonly string[];
  /** How long one address may take to connect before the next one is tried. */
  readonly connectTimeoutMs: number;
  /** How long connecting may take in all. */
  readonly attemptTimeoutMs: number;
  readonly onDenied: (denied: DeniedConnection) => void;
}

/** The typings of TLS leave out what it hands on to TCP. */
type Options = ConnectionOptions & Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>;

/** Origins whose last TLS session is kept, so that the next handshake is a short one. */
const MAX_SESSIONS = 1_000;

/**
 * The only place where a connection to a receiver is opened. It decides by the address that is really dialled: for
 * literals (which need no lookup), in the lookup of names, and once more on the connected socket before a byte is sent.
 * All connections share one TLS configuration that no request can change: verification is always on.
 */
export class GuardedConnector {
  private readonly sources: SourceBoundConnector | undefined;
  private readonly tls: Options;
  private readonly sessions = new LRUCache<string, Buffer>({ max: MAX_SESSIONS });

  constructor(private readonly guard: GuardedConnectorOptions) {
    this.tls = tlsOptions(guard);
    if (guard.sourceAddresses.length > 0) this.sources = new SourceBoundConnector(guard);
  }

  /**
   * Begins a connection, which tells its user once it is ready, or why it never will be.
   * @param onGone told of its end
   */
  open(target: RequestTarget, onGone: (connection: ReceiverConnection) => void): ReceiverConnection {
    const connection = new ReceiverConnection(onGone);
    if (!target.isName && !this.permits(target.host, target.host)) {
      setImmediate(() => connection.fail(new AddressNotAllowed()));
    } else if (this.sources) {
      void this.connectFromSource(this.sources, target, connection);
    } else {
      connection.attach(this.connect(target, connection));
    }
    return connection;
  }

  /** Gives up what is being connected from source addresses. All else ends with its connection. */
  close(): void {
    this.sources?.destroy();
  }

  private connect(target: RequestTarget, { ended }: ReceiverConnection): TLSSocket {
    const { host, port } = target;
    const socket = this.secure(target, { host, port, lookup: this.guard.addresses.lookupUntil(ended) });
    socket.prependOnceListener('connect', () => {
      if (!this.permitsPeer(socket, host)) socket.destroy(new AddressNotAllowed());
    });
    return socket;
  }

  private async connectFromSource(
    sources: SourceBoundConnector,
    target: RequestTarget,
    connection: ReceiverConnection,
  ): Promise<void> {
    const deadline = performance.now() + this.guard.attemptTimeoutMs;
    try {
      const addresses = await this.addressesOf(target, connection);
      const plain = await sources.connect(addresses, target.port, deadline);
      if (connection.isGone) return void plain.destroy();
      if (!this.permitsPeer(plain, target.host)) {
        plain.destroy();
        throw new AddressNotAllowed();
      }
      connection.connected(plain.remoteAddress);
      connection.attach(this.secure(target, { host: target.host, socket: plain }));
    } catch (error) {
      connection.fail(error as Error);
    }
  }

  private async addressesOf(
    { host, isName }: RequestTarget,
    { ended, times }: ReceiverConnection,
  ): Promise<readonly LookupAddress[]> {
    if (!isName) return [{ address: host, family: isIP(host) }];
    const addresses = await this.guard.addresses.of(host, ended);
    times.lookedUpAt = performance.now();
    return addresses;
  }

  private secure({ origin, host, isName }: RequestTarget, where: ConnectionOptions): TLSSocket {
    const session = this.sessions.get(origin);
    const socket = connect({ ...this.tls, ...where, servername: isName ? host : '', ...(session && { session }) });
    socket.setNoDelay(true);
    socket.on('session', (made) => this.sessions.set(origin, made));
    socket.once('close', (hadError: boolean) => hadError && this.sessions.delete(origin));
    return socket;
  }

  /** Whether the address at the other end may be talked to; asked before a byte is sent. */
  private permitsPeer(socket: Socket, host: string): boolean {
    return this.permits(socket.remoteAddress ?? '', host);
  }

  private permits(address: string, host: string): boolean {
    const permitted = this.guard.policy.permits(address);
    if (!permitted) this.guard.onDenied({ host, addresses: [address] });
    return permitted;
  }
}

/** Nothing that a request says can change these. */
const tlsOptions = (guard: GuardedConnectorOptions): Options => ({
  secureContext: guard.trust,
  rejectUnauthorized: true,
  checkServerIdentity,
  minVersion: 'TLSv1.2',
  ALPNProtocols: ['http/1.1'],
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: guard.connectTimeoutMs,
});
