import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it, vi } from 'vitest';
import { ReceiverConnection, type ConnectionUser } from './receiver-connection.js';

const REST_MS = 60;

/** Anything that gives bytes, ends and can be destroyed. */
const aSocket = (): TLSSocket => new PassThrough().on('error', () => undefined) as unknown as TLSSocket;
const gone = (connection: ReceiverConnection): Promise<void> => vi.waitFor(() => expect(connection.isGone).toBe(true));

function aUser() {
  return { onReady: vi.fn(), onBytes: vi.fn(), onGone: vi.fn() } satisfies ConnectionUser;
}

function aConnection(onGone = vi.fn()): { connection: ReceiverConnection; socket: TLSSocket } {
  const connection = new ReceiverConnection(onGone);
  const socket = aSocket();
  connection.attach(socket);
  socket.emit('secureConnect');
  return { connection, socket };
}

describe('a connection that rests (C1, C5)', () => {
  it('is ended by its first byte while it rests, and by none while it is used', async () => {
    const { connection, socket } = aConnection();
    connection.rest(10_000);
    const user = aUser();
    connection.giveTo(user);
    socket.write('an answer');
    await vi.waitFor(() => expect(user.onBytes).toHaveBeenCalledOnce());
    expect(connection.isGone).toBe(false);
    connection.rest(10_000);
    socket.write('unasked');
    await gone(connection);
    expect(user.onBytes).toHaveBeenCalledOnce();
    expect(user.onGone).not.toHaveBeenCalled();
    expect(socket.destroyed).toBe(true);
  });

  it('is ended after its time, also if it was used for longer than that before', async () => {
    const { connection } = aConnection();
    connection.rest(REST_MS);
    connection.giveTo(aUser());
    await delay(3 * REST_MS);
    expect(connection.isGone).toBe(false);
    const began = performance.now();
    connection.rest(REST_MS);
    await gone(connection);
    expect(performance.now() - began).toBeGreaterThanOrEqual(REST_MS - 2);
  });

  it('is ended after the time of its last answer, if that named another one', async () => {
    const { connection } = aConnection();
    connection.rest(60_000);
    connection.giveTo(aUser());
    connection.rest(REST_MS);
    await gone(connection);
  });
});

describe('the end of a connection', () => {
  it.each<[string, (socket: TLSSocket) => void, unknown]>([
    ['in order', (socket) => socket.end(), undefined],
    ['an error', (socket) => socket.destroy(new Error('reset')), expect.objectContaining({ message: 'reset' })],
    ['none that anybody told of', (socket) => socket.destroy(), expect.objectContaining({ code: 'ECONNRESET' })],
  ])('is told to its user once: %s', async (_how, end, error) => {
    const onGone = vi.fn();
    const { connection, socket } = aConnection(onGone);
    const user = aUser();
    connection.giveTo(user);
    const closed = vi.fn();
    socket.on('close', closed);
    end(socket);
    await vi.waitFor(() => expect(closed).toHaveBeenCalled());
    expect(user.onGone).toHaveBeenCalledExactlyOnceWith(error);
    expect(onGone).toHaveBeenCalledExactlyOnceWith(connection);
    expect(connection.ended.aborted).toBe(true);
  });

  it('is not told to a user that has ended it', async () => {
    const { connection, socket } = aConnection();
    const user = aUser();
    connection.giveTo(user);
    connection.destroy();
    await vi.waitFor(() => expect(socket.closed).toBe(true));
    expect(user.onGone).not.toHaveBeenCalled();
  });
});

it('is ready once its certificate is verified, and no earlier', () => {
  const connection = new ReceiverConnection(vi.fn());
  const user = aUser();
  connection.giveTo(user);
  const socket = aSocket();
  connection.attach(socket);
  expect(user.onReady).not.toHaveBeenCalled();
  socket.emit('secureConnect');
  expect(user.onReady).toHaveBeenCalledOnce();
  connection.giveTo(user);
  expect(user.onReady).toHaveBeenCalledTimes(2);
});
