import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** `up` is what the client sends, `down` what the server answers. */
export type Direction = 'up' | 'down';

/** One connection through the proxy; what a direction's source sends or ends reaches the other side unless frozen. */
interface Way {
  readonly source: Socket;
  readonly sink: Socket;
  readonly direction: Direction;
  frozen: boolean;
}

/**
 * A TCP way to a server that a test can cut, as if the server had gone, freeze, as a packet filter does that drops what
 * belongs to connections it doesn't know any more, and mend; on request it keeps what passes.
 */
export class CuttableProxy {
  private readonly sockets = new Set<Socket>();
  private readonly ways = new Set<Way>();
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

  /** How many connections stand, frozen ones included. */
  get connections(): number {
    return this.sockets.size / 2;
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
    this.ways.clear();
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

  /**
   * Nothing passes any more on connections that stand, neither bytes nor their end, and nobody is told. New ones pass.
   * @returns how many ways it froze
   */
  freeze(...directions: readonly Direction[]): number {
    const frozen = [...this.ways].filter((way) => directions.includes(way.direction) && !way.frozen);
    for (const way of frozen) {
      way.frozen = true;
      way.source.unpipe(way.sink);
      way.source.pause();
    }
    return frozen.length;
  }

  /**
   * The servers' ends of what is frozen are gone, as after a keepalive that nobody acknowledged. A packet filter would
   * swallow that of the server; this proxy's kernel acknowledges it for ever.
   */
  expireAtServer(): void {
    for (const { frozen, direction, source, sink } of this.ways) {
      if (frozen) (direction === 'up' ? sink : source).destroy();
    }
  }

  private join(client: Socket): void {
    const upstream = connect(Number(this.target.port), this.target.hostname);
    this.lead({ source: client, sink: upstream, direction: 'up', frozen: false });
    this.lead({ source: upstream, sink: client, direction: 'down', frozen: false });
  }

  private lead(way: Way): void {
    const { source, sink } = way;
    this.sockets.add(source);
    this.ways.add(way);
    source.on('error', () => way.frozen || sink.destroy());
    source.on('close', () => {
      this.sockets.delete(source);
      this.ways.delete(way);
      if (!way.frozen) sink.destroy();
    });
    if (this.records) this.record(source);
    source.pipe(sink);
  }

  private record(socket: Socket): void {
    const chunks: Buffer[] = [];
    this.streams.push(chunks);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
}
