import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** What a receiver does with one connection; `request` resolves with the next whole request on it. */
export type Behaviour = (connection: Connection) => void;

export interface ReceivedRequest {
  readonly head: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** A receiver on loopback that answers with raw bytes, so that it can be as wrong as a test needs. */
export class Receiver {
  readonly requests: ReceivedRequest[] = [];
  /** The TCP connections that are open now. */
  readonly open = new Set<Socket>();
  private readonly accepted: Connection[] = [];
  connections = 0;

  private constructor(private readonly server: Server) {}

  static async overTls(options: TlsOptions, behave: Behaviour, address = '127.0.0.1', port = 0): Promise<Receiver> {
    return Receiver.start(createTlsServer(options), 'secureConnection', behave, { host: address, port });
  }

  static async overTcp(behave: Behaviour, address = '127.0.0.1'): Promise<Receiver> {
    return Receiver.start(createTcpServer(), 'connection', behave, { host: address, port: 0 });
  }

  private static async start(
    server: Server,
    event: string,
    behave: Behaviour,
    at: { host: string; port: number },
  ): Promise<Receiver> {
    const receiver = new Receiver(server);
    server.on('connection', (socket: Socket) => receiver.track(socket));
    server.on('tlsClientError', () => undefined);
    server.on(event, (socket: Socket) => receiver.accept(new Connection(socket, receiver), behave));
    await new Promise<void>((resolve) => server.listen(at, resolve));
    return receiver;
  }

  /** Reads on everywhere, without which a receiver that paused would never notice that the other side is gone. */
  readOn(): void {
    for (const connection of this.accepted) connection.socket.resume();
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(connection: Connection, behave: Behaviour): void {
    this.accepted.push(connection);
    behave(connection);
  }

  private track(socket: Socket): void {
    this.connections++;
    this.open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.open.delete(socket));
  }
}

/** One connection at a receiver. */
export class Connection {
  /** The place of this connection among all that were made, from 1. */
  readonly number: number;
  private buffered = Buffer.alloc(0);
  private readonly waiting: ((request: ReceivedRequest) => void)[] = [];
  private listening = false;

  constructor(
    readonly socket: Socket,
    private readonly receiver: Receiver,
  ) {
    this.number = receiver.connections;
    socket.on('error', () => undefined);
  }

  /** Calls back for each whole request on this connection. */
  onRequest(handle: (request: ReceivedRequest, count: number) => void): void {
    let count = 0;
    const next = (request: ReceivedRequest): void => {
      this.waiting.push(next);
      handle(request, ++count);
    };
    this.waiting.push(next);
    this.listen();
  }

  /** Ends the connection with a TCP reset. */
  reset(): void {
    for (const raw of this.receiver.open) if (raw.remotePort === this.socket.remotePort) raw.resetAndDestroy();
  }

  /** Answers every request with the given bytes. */
  answer(raw: string | Buffer): void {
    this.onRequest(() => this.socket.write(raw));
  }

  private listen(): void {
    if (this.listening) return;
    this.listening = true;
    this.socket.on('data', (chunk: Buffer) => {
      this.buffered = Buffer.concat([this.buffered, chunk]);
      for (let request = this.takeRequest(); request; request = this.takeRequest()) {
        this.receiver.requests.push(request);
        this.waiting.shift()?.(request);
      }
    });
  }

  private takeRequest(): ReceivedRequest | undefined {
    const end = this.buffered.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [head = '', ...lines] = this.buffered.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Map(
      lines.map((line) => [line.split(': ')[0]!.toLowerCase(), line.slice(line.indexOf(': ') + 2)]),
    );
    const length = Number(headers.get('content-length') ?? 0);
    const start = end + 4;
    if (this.buffered.length < start + length) return undefined;
    const body = this.buffered.subarray(start, start + length);
    this.buffered = this.buffered.subarray(start + length);
    return { head, headers, body };
  }
}

/** A complete answer that keeps the connection alive. */
export function ok(status = 200, body = '', headers: readonly string[] = []): string {
  const lines = [`HTTP/1.1 ${status} Status`, ...headers, `content-length: ${Buffer.byteLength(body)}`];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Writes the same bytes for as long as the other side takes them. */
export function writeForever(socket: Socket, chunk: Buffer): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk)) continue;
  };
  socket.on('drain', write);
  write();
}

/** Writes a text byte by byte, one every `everyMs`, for as long as the connection lives. */
export function drip(socket: Socket, text: string, everyMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text[at++]!);
  }, everyMs);
}
