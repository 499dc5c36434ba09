import type { Socket } from 'node:net';

/**
 * Kept-alive sockets between two requests. A receiver has nothing to say then: whatever arrives on one ends it, or it
 * could be read for ever, or be taken for the next request's answer. The time until it is ended anyway is counted from
 * the end of its last answer and renewed by nothing; the socket's own time-out is renewed by every record of TLS.
 */
export class IdleSockets {
  private readonly idle = new Map<Socket, { readonly since: number; readonly timer: NodeJS.Timeout }>();

  get size(): number {
    return this.idle.size;
  }

  /** @param idleMs when it is ended if nothing uses it until then */
  add(socket: Socket, idleMs: number): void {
    const timer = setTimeout(() => socket.destroy(), idleMs);
    timer.unref();
    this.idle.set(socket, { since: performance.now(), timer });
    socket.once('data', destroyIt);
  }

  isOlderThan(ms: number, socket: Socket): boolean {
    const { since } = this.idle.get(socket) ?? { since: 0 };
    return performance.now() - since > ms;
  }

  /** It is used again, or gone. Harmless when repeated. */
  remove(socket: Socket): void {
    clearTimeout(this.idle.get(socket)?.timer);
    this.idle.delete(socket);
    socket.off('data', destroyIt);
  }
}

function destroyIt(this: Socket): void {
  this.destroy();
}
