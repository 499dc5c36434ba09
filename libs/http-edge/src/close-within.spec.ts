import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeWithin } from './close-within.js';

describe('closeWithin', () => {
  let server: Server;

  beforeEach(async () => {
    server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    vi.useRealTimers();
    server.close();
    server.closeAllConnections();
  });

  const app = {
    getHttpServer: () => server,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };

  it('cuts off a caller that neither sends nor reads', async () => {
    const accepted = once(server, 'connection');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    socket.write('GET / HTTP/1.1\r\n');
    await accepted;
    await closeWithin(app, 20);
    await closed;
  });

  it('is done when the requests are, and leaves no timer behind, also if the app can not be closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await closeWithin(app, 3_600_000);
    const failing = { ...app, close: () => Promise.reject(new Error('no')) };
    await expect(closeWithin(failing, 3_600_000)).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  });
});
