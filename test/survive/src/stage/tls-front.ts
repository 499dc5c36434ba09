import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** How a client of PostgreSQL asks for TLS before it says anything else; `S` is the consent. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** Whether a protocol begins with TLS at once or asks for it first. */
export type Opening = 'tls' | 'postgres';

/** What a server shows to prove who it is, as PEM texts. */
export interface ServerIdentity {
  readonly cert: string;
  readonly key: string;
}

/** TLS in front of a server, as if it spoke TLS itself. What comes in the clear is refused. */
export class TlsFront {
  /** Connections that spoke TLS to the end of the handshake. */
  secured = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly target: URL,
    private readonly opening: Opening,
    private identity: ServerIdentity,
    private readonly server: Server,
  ) {
    server.on('connection', (socket) => this.welcome(socket));
  }

  static async open(target: string, opening: Opening, identity: ServerIdentity): Promise<TlsFront> {
    const { cert, key } = identity;
    const front = new TlsFront(new URL(target), opening, { cert, key }, createServer());
    await new Promise<void>((resolve) => front.server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  /**
   * The target's URL with this front's address and a scheme and parameters that ask for TLS.
   *
   * @param as whose name, password and path are taken instead of the target's
   */
  url(scheme: string, parameters: Readonly<Record<string, string>>, as: URL = this.target): string {
    const { username, password, pathname } = as;
    const { port } = this.server.address() as AddressInfo;
    return `${scheme}://${username}:${password}@127.0.0.1:${port}${pathname}?${new URLSearchParams(parameters).toString()}`;
  }

  /** As a server that is restarted with another certificate: every connection is cut, and `secured` counts anew. */
  restart({ cert, key }: ServerIdentity): void {
    this.identity = { cert, key };
    this.secured = 0;
    this.cut();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private welcome(socket: Socket): void {
    this.hold(socket);
    if (this.opening === 'tls') return this.secure(socket);
    socket.once('data', (asked) => {
      if (!asked.equals(SSL_REQUEST)) return socket.destroy();
      socket.write('S');
      this.secure(socket);
    });
  }

  private secure(socket: Socket): void {
    const client = new TLSSocket(socket, { isServer: true, ...this.identity });
    const upstream = this.hold(connect(Number(this.target.port), this.target.hostname));
    client.once('secure', () => this.secured++);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  }

  private hold(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    return socket.once('close', () => this.sockets.delete(socket));
  }
}
