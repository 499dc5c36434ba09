import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A TCP way to a server that a test can cut, as if the server had gone, and mend; on request it keeps what passes. */
export class CuttableProxy {
  private readonly sockets = new Set<Socket>();
  private readonly streams: Buffer[][] = [];
  private server: Server | undefined;
  private port = 0;

  constructor(
    private readonly target: URL,
    private readonly records = false,
  ) {}

  /** The bytes that have passed, one entry per connection and direction. */
  recorded(): Buffer[] {
    return this.streams.map((chunks) => Buffer.concat(chunks));
  }

  /** @returns the target's URL with this proxy's address in it */
  async open(): Promise<string> {
    await this.mend();
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.toString();
  }

  /** New connections are refused and those that stand are reset. */
  async cut(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.sockets) socket.resetAndDestroy();
    await closed;
  }

  async mend(): Promise<void> {
    const server = createServer((socket) => this.join(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  private join(client: Socket): void {
    const upstream = connect(Number(this.target.port), this.target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      if (this.records) this.record(socket);
      socket.pipe(other);
    }
  }

  private record(socket: Socket): void {
    const chunks: Buffer[] = [];
    this.streams.push(chunks);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
}
