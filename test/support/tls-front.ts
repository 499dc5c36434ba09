import { issueCertificate, loadAuthority } from '@form-webhooks/local';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { inject } from 'vitest';

/** How a client of PostgreSQL asks for TLS before it says anything else; `S` is the consent. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** Whether a protocol begins with TLS at once or asks for it first. */
export type Opening = 'tls' | 'postgres';

/** TLS in front of a server, with a certificate of the test's authority. What comes in the clear is refused. */
export class TlsFront {
  /** Connections that spoke TLS to the end of the handshake. */
  secured = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly target: URL,
    private readonly opening: Opening,
    private readonly identity: { readonly cert: string; readonly key: string },
    private readonly server: Server,
  ) {
    server.on('connection', (socket) => this.welcome(socket));
  }

  static async open(target: string, opening: Opening): Promise<TlsFront> {
    const authority = await loadAuthority(inject('caFile'), inject('caKeyFile'));
    const front = new TlsFront(new URL(target), opening, await issueCertificate(authority), createServer());
    await new Promise<void>((resolve) => front.server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  /** The target's URL with this front's address and a scheme and parameters that ask for TLS. */
  url(scheme: string, parameters: Readonly<Record<string, string>>): string {
    const { username, password, pathname } = this.target;
    const { port } = this.server.address() as AddressInfo;
    return `${scheme}://${username}:${password}@127.0.0.1:${port}${pathname}?${new URLSearchParams(parameters).toString()}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
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
