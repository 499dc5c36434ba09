import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { IdleSockets } from './idle-sockets.js';

const IDLE_MS = 60;

/** Anything that gives bytes, ends and can be destroyed. */
const aSocket = (): Socket => new PassThrough().on('error', () => undefined) as unknown as Socket;
const gone = (socket: Socket): Promise<void> => vi.waitFor(() => expect(socket.closed).toBe(true));

describe('an idle socket (C1, C5)', () => {
  it('is ended by its first byte while it idles, and by none while it is used', async () => {
    const idle = new IdleSockets();
    const socket = aSocket();
    idle.add(socket, 10_000);
    idle.remove(socket);
    const read = vi.fn();
    socket.on('data', read);
    socket.write('an answer');
    await vi.waitFor(() => expect(read).toHaveBeenCalledOnce());
    expect(socket.destroyed).toBe(false);
    idle.add(socket, 10_000);
    socket.write('unasked');
    await gone(socket);
  });

  it('is ended after its time, also if it was used for longer than that before', async () => {
    const idle = new IdleSockets();
    const socket = aSocket();
    idle.add(socket, IDLE_MS);
    idle.remove(socket);
    await delay(3 * IDLE_MS);
    expect(socket.destroyed).toBe(false);
    const began = performance.now();
    idle.add(socket, IDLE_MS);
    await gone(socket);
    expect(performance.now() - began).toBeGreaterThanOrEqual(IDLE_MS - 2);
  });

  it('is ended after the time of its last answer, if that named another one', async () => {
    const idle = new IdleSockets();
    const socket = aSocket();
    idle.add(socket, 60_000);
    idle.remove(socket);
    idle.add(socket, IDLE_MS);
    await vi.waitFor(() => expect(idle.size).toBe(0));
    expect(socket.destroyed).toBe(true);
  });

  it('is counted once, until it is used or gone', async () => {
    const idle = new IdleSockets();
    const [used, closed] = [aSocket(), aSocket()];
    for (const socket of [used, closed, closed]) idle.add(socket, 10_000);
    expect(idle.size).toBe(2);
    idle.remove(used);
    idle.remove(used);
    expect(idle.size).toBe(1);
    closed.destroy();
    await vi.waitFor(() => expect(idle.size).toBe(0));
    used.destroy();
    await gone(used);
    expect(idle.size).toBe(0);
  });
});
