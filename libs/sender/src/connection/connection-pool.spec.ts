import { PassThrough } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it, vi } from 'vitest';
import { requestTarget } from '../request-target.js';
import { ConnectionPool } from './connection-pool.js';
import type { GuardedConnector } from './guarded-connector.js';
import { ReceiverConnection } from './receiver-connection.js';

const HERE = requestTarget('https://good.com/a');
const THERE = requestTarget('https://other.com/a');
const LONG_MS = 10_000;

function aPool(restingMax = 1_000): ConnectionPool {
  const open = (_target: unknown, onGone: (gone: ReceiverConnection) => void): ReceiverConnection => {
    const connection = new ReceiverConnection(onGone);
    const socket = new PassThrough() as unknown as TLSSocket;
    connection.attach(socket);
    socket.emit('secureConnect');
    return connection;
  };
  return new ConnectionPool({ open, close: () => undefined } as unknown as GuardedConnector, restingMax);
}

describe('the connections to an origin (C1)', () => {
  it('are used again by whatever goes there, the one that was used last first', () => {
    const pool = aPool();
    const [first, second] = [pool.take(HERE), pool.take(HERE)];
    expect(first).not.toBe(second);
    pool.giveBack(first, LONG_MS);
    pool.giveBack(second, LONG_MS);
    expect(pool.take(THERE)).not.toBe(second);
    expect(pool.take(requestTarget('https://good.com/b'))).toBe(second);
    expect(pool.take(HERE)).toBe(first);
    expect(pool.take(HERE).isUsed).toBe(false);
    pool.close();
  });

  it('are not used again once they are gone, and leave their place to others', () => {
    const pool = aPool(1);
    const [gone, next] = [pool.take(HERE), pool.take(THERE)];
    pool.giveBack(gone, LONG_MS);
    gone.destroy();
    expect(pool.take(HERE)).not.toBe(gone);
    pool.giveBack(next, LONG_MS);
    expect(pool.take(THERE)).toBe(next);
    pool.close();
  });

  it('rest in no greater number than is allowed, to all receivers together', () => {
    const pool = aPool(2);
    const all = [HERE, THERE, HERE].map((target) => pool.take(target));
    for (const connection of all) pool.giveBack(connection, LONG_MS);
    expect(all.map(({ isGone }) => isGone)).toEqual([false, false, true]);
    pool.close();
  });

  it.each([0, -1])('do not rest where the receiver gives them %d ms', (ms) => {
    const pool = aPool();
    const connection = pool.take(HERE);
    pool.giveBack(connection, ms);
    expect(connection.isGone).toBe(true);
  });

  it('all end with the pool, and none rests in it afterwards', () => {
    const pool = aPool();
    const [used, late, resting] = [pool.take(HERE), pool.take(HERE), pool.take(HERE)];
    pool.giveBack(resting, LONG_MS);
    pool.close();
    expect([used, late, resting].every(({ isGone }) => isGone)).toBe(true);
    pool.giveBack(late, LONG_MS);
    expect(pool.take(HERE)).not.toBe(late);
  });
});

describe('a connection that has rested for a while', () => {
  it('is used only after the event loop has read what came on it', async () => {
    const pool = aPool();
    const connection = pool.take(HERE);
    pool.giveBack(connection, LONG_MS);
    const ready = vi.fn();
    pool.whenRead(HERE, ready);
    expect(ready).toHaveBeenCalledOnce();
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 10);
    pool.whenRead(HERE, ready);
    clock.mockRestore();
    expect(ready).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(ready).toHaveBeenCalledTimes(2));
    pool.close();
  });
});
