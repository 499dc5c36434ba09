import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

const FRAME_HEAD_BYTES = 7;
const FRAME_END_BYTES = 1;
const PROTOCOL_HEADER_BYTES = 8;
const METHOD_FRAME = 1;

/** A method of AMQP 0-9-1, by the numbers of its class and its own. */
export interface AmqpMethod {
  readonly classId: number;
  readonly methodId: number;
}

/** A way to a broker, by its URL. */
export interface LosingWay {
  readonly url: string;
  /** Ends all its connections, without a word. */
  readonly cut: () => void;
}

/**
 * A way to a broker on which methods that clients send get lost: the broker seems to live, as heartbeats and all else come
 * and go, and never answers these.
 * @param isLost asked for each method
 */
export async function losingMethods(brokerUrl: string, isLost: (method: AmqpMethod) => boolean): Promise<LosingWay> {
  const { port, hostname } = new URL(brokerUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        (socket === client ? upstream : client).destroy();
      });
    }
    upstream.pipe(client);
    const frames = new ClientFrames(isLost);
    client.on('data', (bytes: Buffer) => void upstream.write(frames.pass(bytes)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const way = new URL(brokerUrl);
  way.port = String((server.address() as AddressInfo).port);
  return { url: way.href, cut };
}

/** What a client sends, frame by frame. */
class ClientFrames {
  private waiting = Buffer.alloc(0);
  private hasBegun = false;

  constructor(private readonly isLost: (method: AmqpMethod) => boolean) {}

  /** @returns what goes on to the broker of all that came so far */
  pass(bytes: Buffer): Buffer {
    this.waiting = Buffer.concat([this.waiting, bytes]);
    const passed: Buffer[] = [];
    if (!this.hasBegun) {
      if (this.waiting.length < PROTOCOL_HEADER_BYTES) return Buffer.alloc(0);
      passed.push(this.take(PROTOCOL_HEADER_BYTES));
      this.hasBegun = true;
    }
    for (let frame = this.next(); frame; frame = this.next()) {
      if (!this.loses(frame)) passed.push(frame);
    }
    return Buffer.concat(passed);
  }

  private next(): Buffer | undefined {
    if (this.waiting.length < FRAME_HEAD_BYTES) return undefined;
    const size = FRAME_HEAD_BYTES + this.waiting.readUInt32BE(3) + FRAME_END_BYTES;
    return this.waiting.length < size ? undefined : this.take(size);
  }

  private loses(frame: Buffer): boolean {
    if (frame[0] !== METHOD_FRAME) return false;
    const classId = frame.readUInt16BE(FRAME_HEAD_BYTES);
    return this.isLost({ classId, methodId: frame.readUInt16BE(FRAME_HEAD_BYTES + 2) });
  }

  private take(bytes: number): Buffer {
    const taken = this.waiting.subarray(0, bytes);
    this.waiting = this.waiting.subarray(bytes);
    return taken;
  }
}
