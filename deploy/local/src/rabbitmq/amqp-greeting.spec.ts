import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { greet } from './amqp-greeting.js';

let server: Server | undefined;
afterEach(() => void server?.close());

async function answering(answer: (socket: Socket) => void): Promise<number> {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A method frame as brokers send it, with one property. */
function startFrame(version: string): Buffer {
  const text = Buffer.from(version);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  const payload = Buffer.concat([Buffer.from('\x00\x0a\x00\x0a\x00\x09xxxx\x07versionS', 'latin1'), length, text]);
  const header = Buffer.from([1, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(payload.length, 3);
  return Buffer.concat([header, payload, Buffer.from([0xce])]);
}

describe('greet', () => {
  it('gets the version of a broker, also when its words come in pieces', async () => {
    const frame = startFrame('3.10.8');
    const port = await answering((socket) => {
      socket.write(frame.subarray(0, 9));
      setTimeout(() => socket.write(frame.subarray(9)), 20);
    });
    expect(await greet(port)).toEqual({ version: '3.10.8' });
  });

  it('is not taken in by another kind of server, nor by a silent one', async () => {
    expect(await greet(await answering((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')))).toBeUndefined();
    server!.close();
    expect(await greet(await answering((socket) => socket.end()))).toBeUndefined();
    server!.close();
    expect(await greet(await answering(() => undefined), 50)).toBeUndefined();
  });

  it('gets nothing where nobody listens', async () => {
    const port = await answering(() => undefined);
    await new Promise((resolve) => server!.close(resolve));
    expect(await greet(port)).toBeUndefined();
  });
});
