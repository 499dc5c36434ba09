import { connect } from 'node:net';

export interface Greeting {
  /** Such as `3.10.8`, as the server says. */
  readonly version: string | undefined;
}

const PROTOCOL_HEADER = Buffer.from('AMQP\x00\x00\x09\x01', 'latin1');
const METHOD_FRAME = 1;

/**
 * Whether a broker talks AMQP on a port of the loopback: an open port alone says nothing yet. Asks for the protocol and
 * goes when the server introduces itself, before any password. Undefined if nobody answers like a broker.
 */
export function greet(port: number, timeoutMs = 2_000): Promise<Greeting | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = (greeting: Greeting | undefined): void => {
      socket.destroy();
      resolve(greeting);
    };
    let received = Buffer.alloc(0);
    socket.setTimeout(timeoutMs, () => finish(undefined));
    socket.once('error', () => finish(undefined));
    socket.once('close', () => finish(undefined));
    socket.once('connect', () => socket.write(PROTOCOL_HEADER));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received[0] !== METHOD_FRAME) return finish(undefined);
      if (received.length >= 7 && received.length >= 8 + received.readUInt32BE(3))
        finish({ version: versionIn(received) });
    });
  });
}

/** The long string `version` of the server's property table. */
function versionIn(frame: Buffer): string | undefined {
  const name = Buffer.from('\x07versionS', 'latin1');
  const at = frame.indexOf(name);
  if (at < 0) return undefined;
  const start = at + name.length + 4;
  return frame.toString('utf8', start, start + frame.readUInt32BE(at + name.length));
}
