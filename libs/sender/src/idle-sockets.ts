import type { Socket } from 'node:net';

interface Idling {
  /** Whether it waits for a request now. */
  idle: boolean;
  /** When it began to, by `performance.now()`. */
  since: number;
  /** Runs on while the socket is used: to begin anew is cheaper than to stop. */
  timer: NodeJS.Timeout | undefined;
  timerMs: number;
}

/**
 * Kept-alive sockets between two requests. A receiver has nothing to say then: whatever arrives on one ends it, or it
 * could be read for ever, or be taken for the next request's answer. The time until it is ended anyway is counted from
 * the end of its last answer and renewed by nothing; the socket's own time-out is renewed by every record of TLS.
 */
export class IdleSockets {
  private readonly known = new WeakMap<Socket, Idling>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** @param idleMs when it is ended if nothing uses it until then */
  add(socket: Socket, idleMs: number): void {
    const known = this.known.get(socket) ?? this.meet(socket);
    if (!known.idle) this.count++;
    known.idle = true;
    known.since = performance.now();
    if (known.timer && known.timerMs === idleMs) return void known.timer.refresh();
    clearTimeout(known.timer);
    known.timer = setTimeout(endIdle, idleMs, socket, known).unref();
    known.timerMs = idleMs;
  }

  isOlderThan(ms: number, socket: Socket): boolean {
    const { since } = this.known.get(socket) ?? { since: 0 };
    return performance.now() - since > ms;
  }

  /** It is used again. Harmless when repeated. */
  remove(socket: Socket): void {
    const known = this.known.get(socket);
    if (!known?.idle) return;
    known.idle = false;
    this.count--;
  }

  /** One listener for as long as it lives, and none that comes and goes with each request. */
  private meet(socket: Socket): Idling {
    const known: Idling = { idle: false, since: 0, timer: undefined, timerMs: 0 };
    this.known.set(socket, known);
    socket.on('data', () => endIdle(socket, known));
    socket.once('close', () => {
      this.remove(socket);
      clearTimeout(known.timer);
    });
    return known;
  }
}

function endIdle(socket: Socket, { idle }: Idling): void {
  if (idle) socket.destroy();
}
