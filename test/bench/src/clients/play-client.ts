import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { RandomClient } from './random-client.js';

/** How long a client that stays waits for ingest to end its connection, ms. */
const STAYS_MS = 6_000;

/** Resolves when the connection is gone. @returns whether ingest ended it, rather than the client */
export async function playClient(port: number, client: RandomClient): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let closed = false;
  const gone = new Promise<void>((resolve) =>
    socket.once('close', () => {
      closed = true;
      resolve();
    }),
  );
  // Its own resets and the server's are what this is about.
  socket.on('error', () => undefined);
  if (client.reads) socket.resume();
  await send(socket, client);
  if (client.then === 'reset') socket.resetAndDestroy();
  else if (client.then === 'close') socket.destroy();
  else if (client.then === 'half-close') socket.end();
  await Promise.race([gone, delay(STAYS_MS)]);
  const byIngest = closed && (client.then === 'half-close' || client.then === 'wait');
  socket.destroy();
  await gone;
  return byIngest;
}

async function send(socket: Socket, { bytes, stopsAfter, pieceBytes, pauseMs }: RandomClient): Promise<void> {
  for (let at = 0; at < stopsAfter && !socket.destroyed; at += pieceBytes) {
    const flushed = new Promise((resolve) =>
      socket.write(bytes.subarray(at, Math.min(stopsAfter, at + pieceBytes)), resolve),
    );
    // One that is not read any more does not flush.
    await Promise.race([flushed, delay(500)]);
    if (pauseMs > 0) await delay(pauseMs);
  }
}
