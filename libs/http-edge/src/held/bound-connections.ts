import type { Server } from 'node:http';
import { Holding } from './holding.js';

/** How often connections are closed that wait for their next request, to make room, ms. */
const MAKE_ROOM_MS = 1_000;

/**
 * Lets at most so many connections be open; more are dropped as they come. Whoever keeps connections open without using
 * them does not keep others out: when there is no room, those that wait for their next request are closed.
 * @returns the connections that are open
 */
export function boundConnections(server: Server, max: number): Pick<Holding, 'held'> {
  const open = new Holding(Infinity);
  let madeRoomAt = -Infinity;
  server.maxConnections = max;
  server.on('connection', (socket) => {
    const lease = open.take();
    socket.once('close', () => lease?.end());
  });
  server.on('drop', () => {
    if (performance.now() - madeRoomAt < MAKE_ROOM_MS) return;
    madeRoomAt = performance.now();
    server.closeIdleConnections();
  });
  return open;
}
