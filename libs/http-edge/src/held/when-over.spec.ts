import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boundConnections } from './bound-connections.js';
import { whenOver } from './when-over.js';

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
const HALF_A_POST = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf';

describe('a request', () => {
  let server: Server;
  let responses: ServerResponse[];
  const over = vi.fn();

  beforeEach(async () => {
    responses = [];
    over.mockReset();
    server = createServer((_request, response) => {
      responses.push(response);
      whenOver(response, over);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  const open = (): Socket => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    return socket.on('error', () => undefined).resume();
  };
  const arrived = (count: number) => vi.waitFor(() => expect(responses).toHaveLength(count));
  const overTimes = (times: number) => vi.waitFor(() => expect(over).toHaveBeenCalledTimes(times));

  it('is over when it is answered, and not once more when its connection ends', async () => {
    const socket = open();
    socket.write(GET);
    await arrived(1);
    expect(over).not.toHaveBeenCalled();
    responses[0]!.end('x');
    await overTimes(1);
    socket.destroy();
    await once(socket, 'close');
    await vi.waitFor(async () => {
      expect(await new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))).toBe(0);
    });
    expect(over).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['in mid-body', HALF_A_POST],
    ['before the answer', GET],
  ])('is over when its caller goes away %s', async (_where, bytes) => {
    const socket = open();
    socket.write(bytes);
    await arrived(1);
    socket.resetAndDestroy();
    await overTimes(1);
  });

  it('is over with its connection also behind others that were not answered', async () => {
    const socket = open();
    socket.write(GET.repeat(20));
    await arrived(20);
    socket.destroy();
    await overTimes(20);
  });

  it('is over at once if its connection has ended before', async () => {
    const socket = open();
    socket.write(GET);
    await arrived(1);
    socket.destroy();
    await overTimes(1);
    const late = vi.fn();
    whenOver(responses[0]!, late);
    expect(late).toHaveBeenCalledTimes(1);
  });

  it('does not find room while all connections are in use, but in place of one that waits for its next request', async () => {
    const connections = boundConnections(server, 2);
    const [idle, busy] = [open(), open()];
    idle.write(GET);
    busy.write(GET);
    await arrived(2);
    expect(connections.held).toBe(2);
    const dropped = open();
    await once(dropped, 'close');
    responses.find(({ req }) => req.socket.remotePort === idle.localPort)!.end();
    await vi.waitFor(
      async () => {
        const next = open();
        next.write(GET);
        await vi.waitFor(() => expect(responses).toHaveLength(3), { timeout: 200 });
      },
      { timeout: 10_000 },
    );
    await vi.waitFor(() => expect(idle.readableEnded).toBe(true));
    expect(busy.destroyed).toBe(false);
    server.closeAllConnections();
    await vi.waitFor(() => expect(connections.held).toBe(0));
  });
});
