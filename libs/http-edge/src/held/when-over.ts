import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is to be done when a connection ends. One listener for all: a connection can carry many requests at a time. */
const endings = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `end` once when a request is over, whatever ends it: its answer, an error, a time-out, a caller who goes away at
 * any point. The response alone does not tell: behind an unanswered request on the same connection it has no socket yet,
 * and hears nothing when that closes. (Fastify's `onResponse` hears of answered requests only.)
 */
export function whenOver(response: ServerResponse, end: () => void): void {
  const { socket } = response.req;
  if (socket.destroyed || response.closed) return end();
  const ofSocket = endings.get(socket) ?? watch(socket);
  const once = (): void => {
    if (ofSocket.delete(once)) end();
  };
  ofSocket.add(once);
  response.once('close', once);
}

function watch(socket: Socket): Set<() => void> {
  const ofSocket = new Set<() => void>();
  endings.set(socket, ofSocket);
  socket.once('close', () => {
    for (const end of ofSocket) end();
  });
  return ofSocket;
}
